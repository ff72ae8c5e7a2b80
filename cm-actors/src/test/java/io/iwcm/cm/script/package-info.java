/**
 * The scripted test language: a text block of time, segments, calls and expectations, played against the connection
 * machine under virtual time with a fake NIC behind it. {@code docs/script-language.md} is its manual.
 *
 * <p>{@link io.iwcm.cm.script.Script} is the way in. {@code ScriptParser} makes {@code Statement}s of lines,
 * {@code Player} carries them out, {@code FakeNic} keeps the books of what was taken and given back,
 * {@code ApplicationWatch} those of what the application was told. Everything that the machine puts out and a script can
 * claim becomes {@code Facts}; an expectation is facts too, and the two are compared by name.
 */
package io.iwcm.cm.script;
