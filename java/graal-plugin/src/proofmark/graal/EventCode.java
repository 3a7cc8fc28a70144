package proofmark.graal;

/**
 * Code that counts events.
 *
 * @param unit index of the unit
 * @param code its id, for installing it
 * @param size bytes of machine code
 * @param compileNs CPU time of the compilation
 * @param same whether its operations are those of the baseline code
 * @param signature what two codes of a unit must have in common to have the same blocks and operations
 */
public record EventCode(int unit, int code, long size, long compileNs, boolean same, String signature) {
}
