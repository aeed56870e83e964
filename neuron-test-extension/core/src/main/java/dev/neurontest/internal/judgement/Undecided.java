package dev.neurontest.internal.judgement;

import org.apiguardian.api.API;

/**
 * A demand that can be neither met nor violated, because what it needs could not be seen.
 *
 * @param rule the demand in the user's words
 * @param subject what should have been looked at
 * @param reason why it could not be seen, and what would make it visible
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Undecided(String rule, String subject, String reason) {}
