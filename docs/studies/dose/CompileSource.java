import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.eclipse.jdt.core.compiler.batch.BatchCompiler;

/** The Eclipse compiler compiles a class of 60 methods that is written once. */
public final class CompileSource {
    private static final Path PLACE = written();

    static {
        // Else most of the work is done by threads of the compiler's own.
        System.setProperty("jdt.compiler.useSingleThread", "true");
    }

    private CompileSource() {
    }

    private static Path written() {
        StringBuilder text = new StringBuilder("public class Made {\n");
        for (int i = 0; i < 60; i++) {
            text.append("  static int f").append(i).append("(int[] x, String s) {\n    int sum = s.length();\n")
                    .append("    for (int i = 0; i < x.length; i++) { if (x[i] % 3 == ").append(i % 3).append(") sum += x[i] * ").append(i)
                    .append("; else sum ^= s.charAt(i % s.length()); }\n    return i() + sum;\n  }\n");
        }
        text.append("  static int i() { return new java.util.ArrayList<String>(java.util.List.of(\"a\")).size(); }\n}\n");
        try {
            Path place = Files.createTempDirectory("made");
            place.toFile().deleteOnExit();
            Files.writeString(place.resolve("Made.java"), text);
            return place;
        } catch (java.io.IOException exception) {
            throw new IllegalStateException(exception);
        }
    }

    public static void main(String[] arguments) {
        StringWriter said = new StringWriter();
        String[] words = {"-17", "-nowarn", "-proc:none", "-d", PLACE.toString(), PLACE.resolve("Made.java").toString()};
        boolean fine = BatchCompiler.compile(words, new PrintWriter(said), new PrintWriter(said), null);
        System.out.println(fine + said.toString());
    }
}
