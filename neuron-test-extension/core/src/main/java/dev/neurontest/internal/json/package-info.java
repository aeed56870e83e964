/** The only readers and writers of JSON. */
@NullMarked
package dev.neurontest.internal.json;

import org.jspecify.annotations.NullMarked;
