/** The widget's labels. */
export interface Labels {
  /** The label of the button that opens the chat. */
  readonly open: string
  readonly close: string
  /** The label of the text field. */
  readonly message: string
  readonly send: string
  /** The label of the button above the oldest message. */
  readonly earlier: string
  readonly connecting: string
  readonly offline: string
  readonly sending: string
  /** The label of the button that resends a message after a failure. */
  readonly retry: string
  /** Follows the number of unread messages. */
  readonly unread: string
  /** Precedes the visitor's own messages for screen readers. */
  readonly you: string
  /** The label of the button that answers a message. */
  readonly reply: string
  /** The label of the button that ends the answer to a message without sending it. */
  readonly cancel: string
  /** Shown while the business writes. */
  readonly typing: string
  /** The label of the button that picks files. */
  readonly attach: string
  /** The label of a file without a name. */
  readonly file: string
  /** Follows the name of a file that cannot be sent. */
  readonly refused: string
  /** The label of the button that shows emoji. */
  readonly emoji: string
  /** Below the visitor's latest message that the business has read. */
  readonly seen: string
  /** The labels of the fields before the chat. */
  readonly name: string
  readonly email: string
  readonly phone: string
  /** The label of the button below them. */
  readonly start: string
  /** Shown outside of the office hours. */
  readonly closed: string
}
