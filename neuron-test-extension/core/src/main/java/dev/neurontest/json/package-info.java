/** The only readers and writers of JSON. */
@NullMarked
package dev.neurontest.json;

import org.jspecify.annotations.NullMarked;
