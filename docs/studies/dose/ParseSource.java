import com.github.javaparser.StaticJavaParser;

/** JavaParser reads a class of 40 methods. */
public final class ParseSource {
    private static final String SOURCE = source();

    private ParseSource() {
    }

    private static String source() {
        StringBuilder text = new StringBuilder("class Made {\n");
        for (int i = 0; i < 40; i++) {
            text.append("  int f").append(i).append("(int[] x) { int sum = 0; for (int y : x) { if (y % 2 == 0) { sum += y * ").append(i)
                    .append("; } else { sum -= y; } } return sum; }\n");
        }
        return text.append("}\n").toString();
    }

    public static void main(String[] arguments) {
        System.out.println(StaticJavaParser.parse(SOURCE).getTypes().get(0).getMembers().size());
    }
}
