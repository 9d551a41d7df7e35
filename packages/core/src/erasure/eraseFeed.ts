import { Effect } from "effect"
import { changes, expect, remove } from "../ports/Changes.js"
import { type CommitError, lookup, type Storage } from "../ports/Storage.js"
import { untilNothingLeft } from "./untilNothingLeft.js"

/** Number of feed entries deleted by one commit. */
const batch = 200

/** Deletes the feed of a deleted conversation, which gets no new entries. */
export const eraseFeed = (
  storage: Pick<Storage, "commit" | "read">,
  workspaceId: string,
  conversationId: string
): Effect.Effect<void, CommitError> =>
  untilNothingLeft(
    Effect.gen(function* () {
      const { feed } = yield* storage.read({ feed: lookup("feed", { conversationId }) })
      if (feed.length === 0) return false
      const keys = feed.slice(0, batch).map(({ sequence }) => ({ conversationId, sequence }))
      yield* storage.commit(
        changes(workspaceId, {
          expects: keys.map((key) => expect("feed", key)),
          deletes: keys.map((key) => remove("feed", key))
        })
      )
      return true
    })
  )
