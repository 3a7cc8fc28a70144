package proofmark.suite.cd;

import proofmark.suite.collections.RedBlackTree;
import proofmark.suite.collections.Sequence;

/** Remembers where each aircraft was in the frame before, and finds the collisions on the way to the next. */
public final class CollisionDetector {
    private final RedBlackTree<CallSign, Vector3> positions = new RedBlackTree<>();

    /** The collisions up to this frame, one for every voxel in which a pair collides. */
    public Sequence<Collision> collisions(Sequence<Aircraft> frame) {
        VoxelMap map = new VoxelMap();
        for (int i = 0; i < frame.size(); i++) {
            map.draw(motionTo(frame.at(i)));
        }
        Sequence<Collision> collisions = new Sequence<>();
        map.forEachVoxel(motions -> addCollisions(motions, collisions));
        return collisions;
    }

    /** How many different pairs there are among the collisions, no aircraft having two partners. */
    public static int pairs(Sequence<Collision> collisions) {
        RedBlackTree<CallSign, CallSign> partners = new RedBlackTree<>();
        int pairs = 0;
        for (int i = 0; i < collisions.size(); i++) {
            Collision collision = collisions.at(i);
            if (partners.get(collision.one()) != collision.other()) {
                partners.put(collision.one(), collision.other());
                pairs++;
            }
        }
        return pairs;
    }

    private Motion motionTo(Aircraft aircraft) {
        Vector3 now = aircraft.position();
        Vector3 before = positions.put(aircraft.callSign(), now);
        return new Motion(aircraft.callSign(), before == null ? now : before, now);
    }

    private static void addCollisions(Sequence<Motion> motions, Sequence<Collision> collisions) {
        for (int i = 0; i < motions.size(); i++) {
            Motion one = motions.at(i);
            for (int j = i + 1; j < motions.size(); j++) {
                Motion other = motions.at(j);
                Vector3 place = one.collisionWith(other);
                if (place != null) {
                    collisions.add(new Collision(one.callSign(), other.callSign(), place));
                }
            }
        }
    }
}
