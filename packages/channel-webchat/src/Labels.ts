/** The widget's own words. */
export interface Labels {
  /** Of the button that opens the chat. */
  readonly open: string
  readonly close: string
  /** Of the field to write in. */
  readonly message: string
  readonly send: string
  /** Of the button above the oldest message. */
  readonly earlier: string
  readonly connecting: string
  readonly offline: string
  readonly sending: string
  /** Of a message that was not taken: sends it again. */
  readonly retry: string
  /** Follows the number of messages that were not read. */
  readonly unread: string
  /** Before the visitor's own messages, for those who listen. */
  readonly you: string
}

export const defaultLabels: Labels = {
  open: "Chat with us",
  close: "Close the chat",
  message: "Your message",
  send: "Send",
  earlier: "Earlier messages",
  connecting: "Connecting…",
  offline: "No connection. Trying again…",
  sending: "Sending…",
  retry: "Not sent. Try again",
  unread: "unread",
  you: "You"
}
