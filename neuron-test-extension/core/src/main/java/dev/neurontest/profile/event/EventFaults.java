package dev.neurontest.profile.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the records of one array lack, counted to be said at the end. */
final class EventFaults {

    private final String array;
    private final String flag;
    private boolean otherThanArray;
    private long records;
    private long noObjects;
    private long withoutDuration;
    private long negative;
    private long unreadable;
    private long tooLong;

    EventFaults(String array, String flag) {
        this.array = array;
        this.flag = flag;
    }

    void otherThanArray() {
        otherThanArray = true;
    }

    void noObject() {
        noObjects++;
    }

    /**
     * One complete record.
     *
     * @param duration nanoseconds, or one of the constants of {@link EventNumbers}
     * @return whether it is a duration
     */
    boolean isUsable(long duration) {
        if (duration >= 0 && duration <= EventTally.LONGEST) {
            records++;
            return true;
        }
        add(duration, 1);
        return false;
    }

    /** Some records of such a duration. */
    void add(long duration, long count) {
        records += count;
        if (duration == EventNumbers.ABSENT) {
            withoutDuration += count;
        } else if (duration == EventNumbers.NEGATIVE) {
            negative += count;
        } else if (duration == EventNumbers.UNREADABLE) {
            unreadable += count;
        } else if (duration > EventTally.LONGEST) {
            tooLong += count;
        }
    }

    long records() {
        return records;
    }

    List<String> notices() {
        List<String> notices = new ArrayList<>();
        if (otherThanArray) {
            notices.add("%s: it is no array and was not read.".formatted(array));
        } else if (records == 0) {
            notices.add("%s: no record is there, which says nothing about the device. Was the profile viewed with %s?"
                    .formatted(array, flag));
        }
        say(notices, noObjects, "are no objects");
        say(notices, withoutDuration, "have no duration and are in no sum");
        say(notices, negative, "have a negative duration and are in no sum");
        say(notices, unreadable, "have a duration that is no finite number and are in no sum");
        say(notices, tooLong, "have a duration of more than a day and are in no sum");
        return notices;
    }

    private void say(List<String> notices, long count, String what) {
        if (count > 0) {
            notices.add(
                    String.format(Locale.ROOT, "%s: %,d of %,d records %s.", array, count, records + noObjects, what));
        }
    }
}
