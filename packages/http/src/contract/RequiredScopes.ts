import type { Scope } from "@parley/core"
import { Context } from "effect"

/**
 * Annotates an endpoint, a group or a whole contract with the scopes of which a caller needs one
 * (docs/reference/authentication.md#scopes-by-endpoint). An empty list: any valid credential will do. Every endpoint
 * has to name or inherit them.
 */
export class RequiredScopes extends Context.Tag("@parley/http/RequiredScopes")<
  RequiredScopes,
  ReadonlyArray<Scope>
>() {}
