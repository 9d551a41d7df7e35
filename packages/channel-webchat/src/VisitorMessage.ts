/** An option of a question. */
export interface VisitorOption {
  readonly id: string
  readonly title: string
  readonly description: string | null
}

/** A message in the wire shape for its visitor. */
export interface VisitorMessage {
  readonly id: string
  readonly direction: "inbound" | "outbound"
  readonly body: string
  /** The options of a question, which the visitor chooses from. Absent from other messages. */
  readonly options?: ReadonlyArray<VisitorOption>
  /** The widget's id of a message that the visitor wrote. */
  readonly client_id: string | null
  /** Whether the visitor has read it; always true for the visitor's own messages. */
  readonly is_read: boolean
  readonly created_at: string
}
