/**
 * The HTTP API of a running node: what it has, what it does, and what an application outside its process can ask of it.
 *
 * <p>{@code openapi.yaml} beside these classes is the contract, and a test walks through it. {@code HttpServer} opens the
 * port; {@code Router} finds the {@code Route} of a request and makes a {@code Problem} of whatever goes wrong;
 * {@code NodeRoutes}, {@code NicRoutes}, {@code ListenerRoutes}, {@code ConnectionRoutes} and {@code EventRoutes} are what
 * there is. {@code Watch} is told of every step of every connection: lists, histories and events come from there, so that
 * looking asks nothing of the actors.
 */
@NullMarked
package io.iwcm.cm.http;

import org.jspecify.annotations.NullMarked;
