/** Origins behind Hadoop's clients, with processes as users start them. */
package io.eley.system.origin;
