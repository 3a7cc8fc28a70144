import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.stream.IntStream;

/** Jackson reads and writes documents of 200 records in parallel: the calling thread and the common pool's. */
public final class ReadTogether {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String DOCUMENT = document();

    private ReadTogether() {
    }

    private static String document() {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < 200; i++) {
            text.append(i == 0 ? "" : ",").append("{\"id\":").append(i).append(",\"name\":\"record number ").append(i)
                    .append("\",\"price\":").append(i / 4.0).append(",\"tags\":[\"red\",\"green \\u00e4\",\"blue\"]}");
        }
        return text.append("]").toString();
    }

    private static int once() {
        try {
            JsonNode tree = MAPPER.readTree(DOCUMENT);
            return MAPPER.writeValueAsString(tree).length();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] arguments) {
        System.out.println(IntStream.range(0, 16).parallel().map(i -> once()).sum());
    }
}
