package dev.neurontest.internal.json;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/** Marks a component to write its members as members of the record itself. */
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
@API(status = API.Status.INTERNAL, since = "0.1")
public @interface Unwrapped {}
