import { Context, Effect, Layer } from "effect"
import { type Refusal, refuse } from "../errors/Refusal.js"
import { makeHints } from "../Hints.js"
import { lookup, type ReadError, Storage } from "../ports/Storage.js"
import type { ApiKey } from "./Application.js"
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

const make = Effect.map(Storage, (storage): Access => {
  const hints = makeHints()

  /** The key of this hash, with the application and the workspace that it is thought to belong to. */
  const readOwner = (hash: string, owner: string | undefined) => {
    const [applicationId, workspaceId] = owner?.split(" ") ?? []
    return storage.read({
      apiKeys: lookup("apiKeys", { hash }),
      applications: applicationId === undefined ? null : lookup("applications", { id: applicationId }),
      workspaces: workspaceId === undefined ? null : lookup("workspaces", { id: workspaceId })
    })
  }
  return {
    authenticate: (token, purpose) =>
      Effect.gen(function* () {
        if (token === null || token === "") {
          return yield* unauthenticated("Send an API key as `Authorization: Bearer <key>`.")
        }
        // Found by its hash: nothing about the key itself can be learned from how long the look-up takes.
        const hash = hashOf(token)
        const found = yield* readOwner(hash, hints.get(hash))
        const key = found.apiKeys[0]
        if (key === undefined || key.revokedAt !== null) {
          return yield* unauthenticated("This credential is not valid. It may have been revoked or mistyped.")
        }
        const { applications, workspaces } =
          found.applications[0]?.id === key.applicationId ? found : yield* readOwner(hash, ownerOf(key))
        hints.set(hash, ownerOf(key))
        const application = applications[0]
        const workspace = workspaces[0]
        if (application === undefined || workspace === undefined) {
          return yield* unauthenticated("This credential's application does not exist any more.")
        }
        if (application.status === "suspended") return yield* refuse("account_suspended")
        if (workspace.status === "unavailable") return yield* refuse("workspace_unavailable")
        if (workspace.status === "suspended" && purpose === "write") return yield* refuse("workspace_suspended")
        return { application, workspace, scopes: application.scopes, credentialId: key.id }
      })
  }
})

const ownerOf = ({ applicationId, workspaceId }: ApiKey): string => `${applicationId} ${workspaceId}`

export const layer: Layer.Layer<Access, never, Storage> = Layer.effect(Access, make)
