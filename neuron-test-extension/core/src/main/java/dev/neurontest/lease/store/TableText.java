package dev.neurontest.lease.store;

import dev.neurontest.lease.DeviceReading;
import dev.neurontest.lease.Quarantine;
import dev.neurontest.process.ProcessIdentity;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How a table is written down: a line for each thing, its kind first, then names and values between tabs, so that a person can
 * read it. Processes follow the lease or the quarantine that they belong to.
 */
final class TableText {

    private static final String LAST = "last";
    private static final String MEMBER = "jvm";
    private static final String TICKET = "waiting";
    private static final String CLAIM = "lease";
    private static final String BARRED = "quarantine";
    private static final String SUSPECT = "suspect";
    private static final String PAST = "ended";
    private static final String QUESTION = "asked";
    private static final String PROCESS = "process";

    private TableText() {}

    /** Something else than a table. */
    static final class MalformedTableException extends Exception {

        private static final long serialVersionUID = 1;

        MalformedTableException(String line, RuntimeException cause) {
            super("the line '" + line + "' is no line of a lease table", cause);
        }
    }

    static String write(TableState state) {
        StringBuilder text = new StringBuilder(1024);
        new Line(LAST).with("number", state.last()).end(text);
        state.members()
                .forEach(member -> process(new Line(MEMBER).with("number", member.number()), member.process())
                        .with("token", member.jvm())
                        .with("directory", member.directory())
                        .with("since", member.since())
                        .end(text));
        state.claims().forEach(claim -> {
            new Line(CLAIM)
                    .with("cores", String.join(",", claim.cores()))
                    .with("holder", claim.holder())
                    .with("pid", claim.pid())
                    .with("thread", claim.thread())
                    .with("since", claim.since())
                    .with("number", claim.number())
                    .with("jvm", claim.member())
                    .with("threadId", claim.threadId())
                    .with("granted", claim.granted())
                    .with("within", numbers(claim.within()))
                    .with("lasting", claim.lasting())
                    .end(text);
            processes(text, claim.processes());
        });
        state.queue()
                .forEach(ticket -> new Line(TICKET)
                        .with("holder", ticket.holder())
                        .with("wants", ticket.wants())
                        .with("thread", ticket.thread())
                        .with("number", ticket.number())
                        .with("jvm", ticket.member())
                        .with("threadId", ticket.threadId())
                        .with("within", numbers(ticket.within()))
                        .with("stuck", ticket.stuck())
                        .end(text));
        state.barred().forEach(entry -> {
            new Line(BARRED)
                    .with("core", entry.core())
                    .with("reason", entry.reason())
                    .with("holder", entry.holder())
                    .with("jvm", entry.member())
                    .with("pid", entry.pid())
                    .with("since", entry.since())
                    .with("until", entry.until())
                    .with("device", entry.device())
                    .with("number", entry.number())
                    .with("lock", entry.lock())
                    .with("checker", entry.checker())
                    .end(text);
            processes(text, entry.processes());
        });
        state.suspects()
                .forEach(each -> new Line(SUSPECT)
                        .with("core", each.core())
                        .with("reason", each.reason())
                        .with("holder", each.holder())
                        .with("test", each.test())
                        .with("device", each.device())
                        .end(text));
        state.past()
                .forEach(each -> new Line(PAST)
                        .with("cores", String.join(",", each.cores()))
                        .with("holder", each.holder())
                        .with("pid", each.pid())
                        .with("ended", each.ended())
                        .with("number", each.number())
                        .with("within", numbers(each.within()))
                        .end(text));
        state.questions()
                .forEach(each -> new Line(QUESTION)
                        .with("number", each.number())
                        .with("jvm", each.member())
                        .with("passedOver", each.passedOver())
                        .end(text));
        return text.toString();
    }

    private static String numbers(List<Long> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static Line process(Line line, ProcessIdentity process) {
        return line.with("pid", process.pid())
                .with("startTicks", process.startTicks())
                .with("user", process.user())
                .with("namespace", process.namespace());
    }

    private static void processes(StringBuilder text, List<ProcessIdentity> processes) {
        processes.forEach(each -> process(new Line(PROCESS), each).end(text));
    }

    static TableState read(String text) throws MalformedTableException {
        Reading reading = new Reading();
        String[] lines = text.split("\n");
        // Backwards, because processes come after what they belong to.
        for (int i = lines.length - 1; i >= 0; i--) {
            try {
                reading.take(new Line(lines[i].split("\t")));
            } catch (IllegalArgumentException | DateTimeParseException | IndexOutOfBoundsException malformed) {
                throw new MalformedTableException(lines[i], malformed);
            }
        }
        return new TableState(
                reading.last,
                reading.members,
                reading.queue,
                reading.claims,
                reading.barred,
                reading.suspects,
                reading.past,
                reading.questions);
    }

    /** What was found so far. */
    private static final class Reading {

        private long last;
        private final List<TableState.Member> members = new ArrayList<>();
        private final List<TableState.Ticket> queue = new ArrayList<>();
        private final List<TableState.Claim> claims = new ArrayList<>();
        private final List<TableState.Barred> barred = new ArrayList<>();
        private final List<TableState.Suspect> suspects = new ArrayList<>();
        private final List<TableState.Past> past = new ArrayList<>();
        private final List<TableState.Question> questions = new ArrayList<>();
        private final List<ProcessIdentity> processes = new ArrayList<>();

        void take(Line line) {
            switch (line.kind) {
                case LAST -> last = line.number("number");
                case MEMBER ->
                    members.add(new TableState.Member(
                            line.number("number"),
                            process(line),
                            line.text("token"),
                            line.text("directory"),
                            line.instant("since")));
                case TICKET ->
                    queue.add(new TableState.Ticket(
                            line.number("number"),
                            line.number("jvm"),
                            line.text("holder"),
                            line.text("wants"),
                            line.text("thread"),
                            line.number("threadId"),
                            line.numbers("within"),
                            Boolean.parseBoolean(line.text("stuck"))));
                case CLAIM ->
                    claims.add(new TableState.Claim(
                            line.number("number"),
                            line.number("jvm"),
                            line.number("pid"),
                            line.text("holder"),
                            line.text("thread"),
                            line.number("threadId"),
                            line.number("granted"),
                            line.instant("since"),
                            List.of(line.text("cores").split(",")),
                            line.numbers("within"),
                            Boolean.parseBoolean(line.text("lasting")),
                            takeProcesses()));
                case BARRED ->
                    barred.add(new TableState.Barred(
                            line.number("number"),
                            line.text("core"),
                            line.text("reason"),
                            line.text("holder"),
                            line.number("jvm"),
                            line.number("pid"),
                            line.instant("since"),
                            Quarantine.Until.valueOf(line.text("until")),
                            DeviceReading.parse(line.text("device")),
                            takeProcesses(),
                            line.text("lock"),
                            line.number("checker")));
                case SUSPECT ->
                    suspects.add(new TableState.Suspect(
                            line.text("core"),
                            line.text("reason"),
                            line.text("holder"),
                            line.text("test"),
                            DeviceReading.parse(line.text("device"))));
                case PAST ->
                    past.add(
                            0,
                            new TableState.Past(
                                    line.number("ended"),
                                    line.number("number"),
                                    line.number("pid"),
                                    line.text("holder"),
                                    List.of(line.text("cores").split(",")),
                                    line.numbers("within")));
                case QUESTION ->
                    questions.add(new TableState.Question(
                            line.number("number"), line.number("jvm"), Boolean.parseBoolean(line.text("passedOver"))));
                case PROCESS -> processes.add(0, process(line));
                default -> throw new IllegalArgumentException("unknown kind");
            }
        }

        private List<ProcessIdentity> takeProcesses() {
            List<ProcessIdentity> taken = List.copyOf(processes);
            processes.clear();
            return taken;
        }

        private static ProcessIdentity process(Line line) {
            return new ProcessIdentity(
                    line.number("pid"), line.number("startTicks"), line.text("namespace"), line.text("user"));
        }
    }

    /** A line, being written or read. */
    private static final class Line {

        private final String kind;
        private final Map<String, String> values = new HashMap<>();
        private final StringBuilder written = new StringBuilder();

        Line(String kind) {
            this.kind = kind;
            written.append(kind);
        }

        Line(String[] fields) {
            this.kind = fields[0];
            for (int i = 1; i < fields.length; i++) {
                int equals = fields[i].indexOf('=');
                values.put(fields[i].substring(0, equals), unescape(fields[i].substring(equals + 1)));
            }
        }

        Line with(String name, Object value) {
            written.append('\t').append(name).append('=');
            escape(value.toString(), written);
            return this;
        }

        void end(StringBuilder text) {
            text.append(written).append('\n');
        }

        String text(String name) {
            String value = values.get(name);
            if (value == null) {
                throw new IllegalArgumentException("no " + name);
            }
            return value;
        }

        long number(String name) {
            return Long.parseLong(text(name));
        }

        List<Long> numbers(String name) {
            String list = text(name);
            return list.isEmpty()
                    ? List.of()
                    : Stream.of(list.split(",")).map(Long::valueOf).toList();
        }

        Instant instant(String name) {
            return Instant.parse(text(name));
        }

        private static void escape(String value, StringBuilder to) {
            for (int i = 0; i < value.length(); i++) {
                char next = value.charAt(i);
                // A lone half of a character would not survive being written as UTF-8.
                if (next < ' ' || next == '\\' || Character.isSurrogate(next)) {
                    to.append("\\u").append("%04x".formatted((int) next));
                } else {
                    to.append(next);
                }
            }
        }

        private static String unescape(String value) {
            if (value.indexOf('\\') < 0) {
                return value;
            }
            StringBuilder plain = new StringBuilder();
            for (int i = 0; i < value.length(); i++) {
                if (value.charAt(i) == '\\') {
                    plain.append((char) Integer.parseInt(value.substring(i + 2, i + 6), 16));
                    i += 5;
                } else {
                    plain.append(value.charAt(i));
                }
            }
            return plain.toString();
        }
    }
}
