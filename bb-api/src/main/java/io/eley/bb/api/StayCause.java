package io.eley.bb.api;

/** Why the output of a map task stays with its executor, although it was to go to a node. */
public enum StayCause {
  /** There was nobody to ask. */
  NO_NODE("no node was known, as when the coordinator is away"),
  /** All nodes were full. */
  NO_ROOM("no node had room"),
  /** One that was not full did not answer, had no shuffle service, or enough writers. */
  NO_ANSWER("no node with room answered, had a shuffle service, or took one more writer"),
  /** Nodes may not be sent the application's secret, which its shuffle services need. */
  NO_SECRECY("the application's secret would have crossed the network legibly"),
  /** The way to the nodes was broken at the executor's end. */
  ERROR("moving them failed, as the executors' logs say");

  private final String words;

  StayCause(String words) {
    this.words = words;
  }

  /** The cause for people: the end of a sentence. */
  public String words() {
    return words;
  }
}
