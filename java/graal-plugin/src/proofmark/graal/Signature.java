package proofmark.graal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

import jdk.graal.compiler.lir.LIRInstruction;

/** Structural signature of a unit: block ids, operations and successors in emission order, before insertion. */
final class Signature {
    private final MessageDigest digest;
    private String hex;

    Signature() {
        try {
            digest = MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }

    void add(int block, List<LIRInstruction> operations, int[] successors) {
        StringBuilder text = new StringBuilder().append(block).append(':');
        for (LIRInstruction op : operations) {
            text.append(op.getClass().getSimpleName()).append('/').append(op.name()).append(',');
        }
        for (int s : successors) {
            text.append('>').append(s);
        }
        digest.update(text.append('\n').toString().getBytes(StandardCharsets.UTF_8));
    }

    String hex() {
        if (hex == null) {
            hex = HexFormat.of().formatHex(digest.digest());
        }
        return hex;
    }
}
