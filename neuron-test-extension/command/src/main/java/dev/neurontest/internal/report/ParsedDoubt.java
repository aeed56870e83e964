package dev.neurontest.internal.report;

import org.apiguardian.api.API;

/**
 * A reason to doubt a measurement.
 *
 * @param kind kind of the doubt in lower case
 * @param reason a sentence
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ParsedDoubt(String kind, String reason) {}
