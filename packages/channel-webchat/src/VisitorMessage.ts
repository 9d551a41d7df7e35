/** An option of a question. */
export interface VisitorOption {
  readonly id: string
  readonly title: string
  readonly description: string | null
}

/** A file of a message. */
export interface VisitorFile {
  readonly id: string
  readonly content_type: string
  readonly file_name: string | null
  /** In bytes. */
  readonly size: number
  /** Signed, valid for a day, and relative to the connection's URL. */
  readonly url: string
}

/** A message that another one answers. */
export interface VisitorQuote {
  readonly id: string
  /** The start of its text, or of the names of its files; empty if neither remains. */
  readonly body: string
}

/** A message in the wire shape for its visitor. */
export interface VisitorMessage {
  readonly id: string
  readonly direction: "inbound" | "outbound"
  readonly body: string
  /** The options of a question, which the visitor chooses from. Absent from other messages. */
  readonly options?: ReadonlyArray<VisitorOption>
  /** The message that it answers. Absent from messages that answer none. */
  readonly quoted?: VisitorQuote
  /** Absent from messages without files. */
  readonly attachments?: ReadonlyArray<VisitorFile>
  /** Name of the agent who wrote it. Absent from messages of others, and where the connection hides it. */
  readonly agent?: string
  /** URL of the agent's image, like that of a file. Absent if the agent has none. */
  readonly agent_avatar?: string
  /** The widget's id of a message that the visitor wrote. */
  readonly client_id: string | null
  /** Whether the visitor has read it; always true for the visitor's own messages. */
  readonly is_read: boolean
  readonly created_at: string
}
