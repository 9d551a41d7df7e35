/** A message as its visitor gets it (wire shape). */
export interface VisitorMessage {
  readonly id: string
  readonly direction: "inbound" | "outbound"
  readonly body: string
  /** Of the visitor's own message: the id that the widget gave it. */
  readonly client_id: string | null
  /** Whether the visitor has read it; one of their own always. */
  readonly is_read: boolean
  readonly created_at: string
}
