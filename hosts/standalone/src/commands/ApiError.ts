/** The error in an answer of the API. */
export interface ApiError {
  readonly code: string
  readonly message: string
  readonly details: { readonly [field: string]: unknown }
  readonly request_id: string
}
