package dev.neurontest.report.format;

/** Content that is no report, in words that end "expected …". */
final class UnfitReportException extends RuntimeException {

    private static final long serialVersionUID = 1;

    UnfitReportException(String message) {
        super(message);
    }
}
