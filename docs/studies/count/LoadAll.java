import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Loads and links (so, verifies) every class of jars on the class path, or of a module of the JDK:
 * {@code LoadAll JAR...}, {@code LoadAll MODULE}. Nothing is initialised. Prints how many there are and, sorted, what
 * the JVM refuses and why.
 */
public final class LoadAll {
    private LoadAll() {}

    public static void main(String[] arguments) throws IOException {
        TreeSet<String> refused = new TreeSet<>();
        int linked = 0;
        for (String argument : arguments) {
            boolean jar = argument.endsWith(".jar");
            ClassLoader loader = jar ? LoadAll.class.getClassLoader() : null;
            for (String name : jar ? ofJar(argument) : ofModule(argument)) {
                try {
                    // Asking for the methods links a class.
                    Class.forName(name, false, loader).getDeclaredMethods();
                    linked++;
                } catch (ClassNotFoundException | LinkageError e) {
                    // The rest of a VerifyError holds numbers of the constant pool.
                    refused.add(name + ": " + String.valueOf(e).lines().findFirst().orElse(""));
                }
            }
        }
        System.out.println(linked + " classes linked, " + refused.size() + " refused");
        refused.forEach(System.out::println);
    }

    private static List<String> ofJar(String jar) throws IOException {
        List<String> names = new ArrayList<>();
        try (JarFile file = new JarFile(jar)) {
            file.stream().map(entry -> entry.getName()).forEach(name -> add(name, names));
        }
        return names;
    }

    private static List<String> ofModule(String module) throws IOException {
        Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules", module);
        List<String> names = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            files.map(path -> root.relativize(path).toString()).forEach(name -> add(name, names));
        }
        return names;
    }

    private static void add(String file, List<String> names) {
        boolean described = file.endsWith("module-info.class") || file.startsWith("META-INF/");
        if (file.endsWith(".class") && !described) {
            names.add(file.substring(0, file.length() - 6).replace('/', '.'));
        }
    }
}
