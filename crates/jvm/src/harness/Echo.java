package proofmark.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import proofmark.graal.Json;

/** Reads messages from a file, each behind the name of its kind, and writes what it understood. For a test. */
final class Echo {
    private Echo() {
    }

    public static void main(String[] args) throws IOException {
        StringBuilder out = new StringBuilder();
        for (String line : Files.readString(Path.of(args[0])).split("\n")) {
            int space = line.indexOf(' ');
            Class<?> kind = line.startsWith("Request ") ? Request.class : Answer.class;
            Object message = Messages.read(line.substring(space + 1), kind);
            Json json = new Json().object();
            Messages.write(json.name(Messages.name(message.getClass())), message);
            out.append(json.end()).append('\n');
        }
        System.out.write(out.toString().getBytes(StandardCharsets.UTF_8));
        System.out.flush();
    }
}
