package dev.neurontest.internal.judgement;

import org.apiguardian.api.API;

/**
 * An undecided expectation: the data needed to judge it was not available.
 *
 * @param rule text of the expectation as the user wrote it
 * @param subject subject of the expectation
 * @param reason reason for the missing data, and how to make it available
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Undecided(String rule, String subject, String reason) {}
