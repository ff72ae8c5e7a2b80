package io.iwcm.nic.codec;

/**
 * What one package lets cross between members. Found by {@link java.util.ServiceLoader}; asked once, in the order of their
 * class names, so that all members number alike.
 */
public interface Vocabulary {

    void speak(Words words);
}
