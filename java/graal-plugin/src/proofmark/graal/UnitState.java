package proofmark.graal;

import jdk.graal.compiler.nodes.spi.StableProfileProvider;
import jdk.vm.ci.code.InstalledCode;
import jdk.vm.ci.hotspot.HotSpotResolvedJavaMethod;

/** A unit that the laboratory recompiles: always with the same profile, so always the same code. */
final class UnitState {
    final int index;
    final String name;
    final HotSpotResolvedJavaMethod method;
    final StableProfileProvider profile;
    /** The code without insertions; its signature is the unit's. */
    Compiled baseline;
    /** What was installed last, and which code that is. */
    InstalledCode installed;
    Compiled current;
    /** Times that the VM threw our code away. */
    int invalidations;
    /** True once the unit is no longer installed by us, because the VM does not let its code stand. */
    boolean abandoned;

    UnitState(int index, String name, HotSpotResolvedJavaMethod method, StableProfileProvider profile) {
        this.index = index;
        this.name = name;
        this.method = method;
        this.profile = profile;
    }

    boolean isValid() {
        return installed != null && installed.isValid();
    }
}
