package proofmark.graal.events;

import java.util.List;

import jdk.graal.compiler.hotspot.replacements.HotspotSnippetsOptions;
import jdk.graal.compiler.nodes.spi.CoreProviders;
import jdk.graal.compiler.options.OptionValues;
import jdk.graal.compiler.phases.BasePhase;
import jdk.graal.compiler.phases.PhaseSuite;
import jdk.graal.compiler.phases.PlaceholderPhase;
import jdk.graal.compiler.phases.common.LowTierLoweringPhase;
import jdk.graal.compiler.phases.schedule.SchedulePhase;
import jdk.graal.compiler.phases.tiers.LowTierContext;

/** Puts the phases of event counting into Graal's tiers. Without a plan they do nothing. */
public final class EventPhases {
    private EventPhases() {
    }

    /** Marking in the high or the mid tier. */
    public static <C extends CoreProviders> void mark(PhaseSuite<C> tier, String name) {
        Catalogue.OF_JVM.all().stream().map(EventType::point).filter(point -> point.tier().equals(name)).distinct().forEach(point -> mark(tier, point));
    }

    private static <C extends CoreProviders> void mark(PhaseSuite<C> tier, MarkingPoint point) {
        List<BasePhase<? super C>> phases = tier.getPhases();
        for (int i = 0; i < phases.size(); i++) {
            if (phases.get(i).getClass().getSimpleName().equals(point.phase())) {
                tier.insertAtIndex(point.after() ? i + 1 : i, new MarkingPhase(point));
                return;
            }
        }
        Catalogue.OF_JVM.refuse("an event is to be marked at the phase " + point.phase() + ", but the " + point.tier() + " tier has only "
                + phases.stream().map(phase -> phase.getClass().getSimpleName()).distinct().toList());
    }

    /** The low tier: marking, then notes instead of markers, then counting at its end. */
    public static void count(PhaseSuite<LowTierContext> tier, OptionValues options) {
        if (HotspotSnippetsOptions.ProfileMonitors.getValue(options) && !CompilerCounters.areOn()) {
            tier.insertAfterPhase(LowTierLoweringPhase.class, new LockPaths());
        }
        mark(tier, "low");
        // No loop is unrolled from here on. A branch behind a merge may still be split, with its test: what it asks was
        // marked where it is computed.
        insertBehind(tier, LowTierLoweringPhase.class);
        tier.insertBeforePhase(SchedulePhase.FinalSchedulePhase.class, new CountingPhase());
        for (int i = 0; i < tier.getPhases().size(); i++) {
            if (tier.getPhases().get(i) instanceof PlaceholderPhase) {
                tier.insertAtIndex(i, new Anchors());
                return;
            }
        }
        throw new IllegalStateException("Graal's low tier lowers no addresses");
    }

    /** Notes instead of markers behind a phase and what marks after it. */
    private static void insertBehind(PhaseSuite<LowTierContext> tier, Class<?> phase) {
        List<BasePhase<? super LowTierContext>> phases = tier.getPhases();
        for (int i = 0; i < phases.size(); i++) {
            if (phases.get(i).getClass() == phase) {
                int behind = i + 1;
                while (phases.get(behind) instanceof MarkingPhase || phases.get(behind) instanceof LockPaths) {
                    behind++;
                }
                tier.insertAtIndex(behind, new Anchors());
                return;
            }
        }
    }
}
