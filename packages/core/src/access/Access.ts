import { Context, Effect, Layer } from "effect"
import { type Refusal, refuse } from "../errors/Refusal.js"
import { lookup, type ReadError, Storage } from "../ports/Storage.js"
import type { Caller } from "./Caller.js"
import { hashOf } from "./Credential.js"

/** Finds out who calls. */
export interface Access {
  /**
   * The caller behind a bearer token, as of now: revocation, suspension and narrowed scopes show at once, on every host.
   * Refuses with `unauthenticated`, `account_suspended`, `workspace_unavailable`, and `workspace_suspended` for a write.
   */
  readonly authenticate: (token: string | null, purpose: "read" | "write") => Effect.Effect<Caller, Refusal | ReadError>
}
export const Access = Context.GenericTag<Access>("@parley/core/Access")

const unauthenticated = (message: string) => refuse("unauthenticated", {}, message)

const make = Effect.map(
  Storage,
  (storage): Access => ({
    authenticate: (token, purpose) =>
      Effect.gen(function* () {
        if (token === null || token === "") {
          return yield* unauthenticated("Send an API key as `Authorization: Bearer <key>`.")
        }
        // Found by its hash: nothing about the key itself can be learned from how long the look-up takes.
        const { apiKeys } = yield* storage.read({ apiKeys: lookup("apiKeys", { hash: hashOf(token) }) })
        const key = apiKeys[0]
        if (key === undefined || key.revokedAt !== null) {
          return yield* unauthenticated("This credential is not valid. It may have been revoked or mistyped.")
        }
        const found = yield* storage.read({
          applications: lookup("applications", { id: key.applicationId }),
          workspaces: lookup("workspaces", { id: key.workspaceId })
        })
        const application = found.applications[0]
        const workspace = found.workspaces[0]
        if (application === undefined || workspace === undefined) {
          return yield* unauthenticated("This credential's application does not exist any more.")
        }
        if (application.status === "suspended") return yield* refuse("account_suspended")
        if (workspace.status === "unavailable") return yield* refuse("workspace_unavailable")
        if (workspace.status === "suspended" && purpose === "write") return yield* refuse("workspace_suspended")
        return { application, workspace, scopes: application.scopes, credentialId: key.id }
      })
  })
)

export const layer: Layer.Layer<Access, never, Storage> = Layer.effect(Access, make)
