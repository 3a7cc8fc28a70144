package proofmark.harness;

import java.util.BitSet;

/** Which sites' code is there at all. The agent's library has the method that opens and closes a gate. */
final class Gates {
    private final BitSet open = new BitSet();

    /** Opens these gates and closes all others. The JVM then compiles anew what relied on those that changed. */
    void set(BitSet wanted) {
        BitSet changed = (BitSet) open.clone();
        changed.xor(wanted);
        for (int site = changed.nextSetBit(0); site >= 0; site = changed.nextSetBit(site + 1)) {
            if (!set(site, wanted.get(site))) {
                throw new IllegalStateException("the JVM refuses to change the gate of site " + site);
            }
            open.set(site, wanted.get(site));
        }
    }

    private static native boolean set(int site, boolean open);
}
