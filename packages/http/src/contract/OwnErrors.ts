import { Context, type Schema } from "effect"

/**
 * Annotates an endpoint or a group whose errors have another shape than the envelope. Such an endpoint is open to
 * callers without a credential.
 */
export class OwnErrors extends Context.Tag("@parley/http/OwnErrors")<
  OwnErrors,
  {
    readonly schema: Schema.Schema.Any
    /** Examples of responses by status and name. */
    readonly byStatus: { readonly [status: number]: { readonly [name: string]: unknown } }
  }
>() {}
