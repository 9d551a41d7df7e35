import { Clock, Context, Effect, Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import { listNewestFirst } from "../../kernel/input/listNewestFirst.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { ofWorkspace, type WorkspaceListQuery } from "../../kernel/input/WorkspaceListQuery.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Agent, AgentAvatar } from "../../model/Agent.js"
import { Blobs } from "../../ports/Blobs.js"
import { Ids } from "../../ports/Ids.js"
import { type CommitError, type ReadError, readById, Storage } from "../../ports/Storage.js"
import type { AgentInput, AgentPatch } from "./AgentInput.js"
import { avatarImageOf, maxAvatarBytes } from "./avatarImage.js"
import { createAgent } from "./createAgent.js"
import { updateAgent } from "./updateAgent.js"

/**
 * Administration of agents (docs/reference/administration.md#agents-teams-and-tasks). Fails with `not_found` for an
 * unknown id.
 */
export interface AdminAgents {
  readonly create: (decoded: PartialDecode<AgentInput>) => Effect.Effect<Agent, Refusal | CommitError>
  readonly list: (query: PartialDecode<WorkspaceListQuery>) => Effect.Effect<Listed<Agent>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Agent, Refusal | ReadError>
  /** Fails with `service_unavailable` while an image cannot be stored. */
  readonly update: (id: string, decoded: PartialDecode<AgentPatch>) => Effect.Effect<Agent, Refusal | CommitError>
}
export const AdminAgents = Context.GenericTag<AdminAgents>("@parley/core/AdminAgents")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const blobs = yield* Blobs
  const ids = yield* Ids
  const { decideAndCommit } = yield* Decider

  const load = (id: string) => readById(storage, "agents", id)

  /** Stores the given image under a fresh key; null without one. */
  const storeAvatar = ({
    value: { avatar }
  }: PartialDecode<AgentPatch>): Effect.Effect<AgentAvatar | null, Refusal> => {
    const image = avatar == null ? null : avatarImageOf(avatar)
    if (image === null) return Effect.succeed(null)
    const { bytes, contentType } = image
    return Effect.gen(function* () {
      const key = ids.next(yield* Clock.currentTimeMillis)
      const size = yield* blobs.put(key, bytes, { contentType, limit: maxAvatarBytes })
      return { key, contentType, size }
    }).pipe(
      Effect.tapError((error) => Effect.logWarning(`an avatar cannot be stored: ${error.message}`)),
      Effect.orElse(() => refuse("service_unavailable", {}, "Files cannot be stored now. Try again soon."))
    )
  }

  const remove = (avatar: AgentAvatar | null) =>
    avatar === null ? Effect.void : Effect.ignoreLogged(blobs.remove([avatar.key]))

  return AdminAgents.of({
    create: (decoded) => {
      const { workspaceId } = decoded.value
      const world = readById(storage, "workspaces", workspaceId)
      return decideAndCommit(world, (workspace, now, ids) => createAgent(workspace, decoded, now, ids))
    },
    list: (query) => listNewestFirst(storage, { from: "agents", by: ofWorkspace(query) }, query),
    get: (id) => Effect.flatMap(load(id), orNotFound),
    update: (id, decoded) =>
      Effect.gen(function* () {
        const avatar = yield* storeAvatar(decoded)
        const { before, now } = yield* decideAndCommit(load(id), (before) =>
          Either.map(updateAgent(before, decoded, avatar), ({ changes, result }) => ({
            changes,
            result: { before, now: result }
          }))
        ).pipe(
          // After a failure of the storage the commit may have been written, so the image stays.
          Effect.tapErrorTag("Refusal", () => remove(avatar))
        )
        if (before !== undefined && before.avatar?.key !== now.avatar?.key) yield* remove(before.avatar)
        return now
      }).pipe(Effect.uninterruptible)
  })
})
