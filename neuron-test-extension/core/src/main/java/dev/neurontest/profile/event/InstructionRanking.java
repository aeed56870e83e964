package dev.neurontest.profile.event;

import java.util.ArrayList;
import java.util.List;

/** The longest instructions until now; of equally long ones those that came first. */
final class InstructionRanking {

    private final int most;
    private final List<InstructionEvent> longest = new ArrayList<>();
    private long shortestKept = -1;

    InstructionRanking(int most) {
        this.most = most;
    }

    /** Whether an instruction of that many nanoseconds would be kept. */
    boolean wants(long duration) {
        return duration > shortestKept;
    }

    /** Adds one that is wanted. */
    void add(InstructionEvent event) {
        int place = longest.size();
        while (place > 0 && longest.get(place - 1).duration().compareTo(event.duration()) < 0) {
            place--;
        }
        longest.add(place, event);
        if (longest.size() > most) {
            longest.remove(most);
        }
        if (longest.size() == most) {
            shortestKept = longest.get(most - 1).duration().toNanos();
        }
    }

    List<InstructionEvent> longest() {
        return List.copyOf(longest);
    }
}
