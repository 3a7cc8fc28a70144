import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Reads a document of 200 records and writes it again, some times. */
public final class ReadWrite {
    private ReadWrite() {
    }

    public static void main(String[] arguments) throws Exception {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < 200; i++) {
            text.append(i == 0 ? "" : ",").append("{\"id\":").append(i).append(",\"name\":\"record number ").append(i)
                    .append("\",\"price\":").append(i / 4.0).append(",\"tags\":[\"red\",\"green \\u00e4\",\"blue\"],\"inner\":{\"deep\":true,\"none\":null}}");
        }
        String document = text.append("]").toString();
        ObjectMapper mapper = new ObjectMapper();
        int length = 0;
        for (int i = 0; i < 10; i++) {
            JsonNode tree = mapper.readTree(document);
            length += mapper.writeValueAsString(tree).length();
        }
        System.out.println(length);
    }
}
