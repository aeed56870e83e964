package dev.neurontest.profile;

import org.apiguardian.api.API;

/**
 * What the 1024 bytes at the head of a NEFF say.
 *
 * @param name as the compiler wrote it, such as {@code file.neff}
 * @param uuid 32 hexadecimal digits, which its NTFFs carry too
 * @param hash 32 hexadecimal digits
 * @param logicalCoreSize how many physical cores one logical core is that it was compiled for
 * @param bodyBytes how long the body should be
 * @param cut whether the file is shorter than its head says
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record NeffHeader(String name, String uuid, String hash, int logicalCoreSize, long bodyBytes, boolean cut) {}
