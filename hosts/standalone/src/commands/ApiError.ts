/** What the API says where it refuses. */
export interface ApiError {
  readonly code: string
  readonly message: string
  readonly details: { readonly [field: string]: unknown }
  readonly request_id: string
}
