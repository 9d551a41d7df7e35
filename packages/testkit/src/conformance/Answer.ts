/** What came back. */
export interface Answer {
  /** Method and path, for messages. */
  readonly request: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Undefined where the text is no JSON. */
  readonly json: unknown
}
