import { type Refusal, refuse } from "../errors/Refusal.js"
import type { Application } from "./Application.js"
import type { Scope } from "./Scope.js"
import type { Workspace } from "./Workspace.js"

/** Who makes a request: an application by one of its credentials, with the scopes that it has as of now. */
export interface Caller {
  readonly application: Application
  readonly workspace: Workspace
  readonly scopes: ReadonlyArray<Scope>
  /** The credential's id. */
  readonly credentialId: string
}

/** 403 with `details.required_scope` where the caller has none of them, else null (spec, Authentication 4). */
export const missingScope = (caller: Caller, anyOf: ReadonlyArray<Scope>): Refusal | null =>
  anyOf.length === 0 || anyOf.some((scope) => caller.scopes.includes(scope))
    ? null
    : refuse("forbidden", { required_scope: anyOf[0] }, `This needs the scope ${anyOf.join(" or ")}.`)
