// Leaves out the types and members that are internal in both versions: @API(status = INTERNAL). They may change at any time.

def isInternal = { element ->
    def status = element.annotations.find { it.fullyQualifiedName == 'org.apiguardian.api.API' }
            ?.elements?.find { it.name == 'status' }
    status != null && [status.oldElementValues, status.newElementValues].every { values ->
        values.every { it.value.toString().endsWith('INTERNAL') }
    }
}

jApiClasses.removeAll(isInternal)
jApiClasses.each { type ->
    [type.methods, type.constructors, type.fields].each { it.removeAll(isInternal) }
}
return jApiClasses
