/** An HTTP response. */
export interface Answer {
  /** Method and path, for error messages. */
  readonly request: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Undefined if the text is not JSON. */
  readonly json: unknown
}
