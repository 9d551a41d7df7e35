import { isUuid } from "@parley/core"
import { Effect } from "effect"
import { apiCommand, argument, limitOption, needed, option } from "./apiCommand.js"
import { CommandFailed } from "./CommandFailed.js"
import { printList } from "./output.js"
import { sinceOption } from "./since.js"

/** Lists what happened with a contact. */
export const history = apiCommand(
  "history",
  "Show what happened with a contact, newest first: messages with their states, opt-outs, merges, changes of its handles, conversations, leads, tasks, events, workflow runs and bots. Example: parley contact history ada@example.org --since 7d Example: parley contact history <id> --all --json",
  {
    contact: argument("contact", "The contact's id, or one of its handles, such as an email address or a phone number"),
    limit: limitOption,
    since: sinceOption("entries"),
    workspace: option("workspace", "The workspace's id, to find a contact by its handle (default: the demo's)")
  },
  ({ contact, limit, since, workspace }, { client, json, target }) =>
    Effect.gen(function* () {
      const idOfHandle = Effect.gen(function* () {
        const workspace_id = yield* needed("workspace", workspace, target)
        const { rows } = yield* client.list("/contacts", { limit: 1, workspace_id, handle: contact })
        if (rows[0] !== undefined) return String(rows[0].id)
        return yield* new CommandFailed({
          message: `No contact of the workspace has the handle ${contact}: parley contact list shows the contacts. A contact that was merged is found by the handles of the remaining one`
        })
      })
      const id = isUuid(contact) ? contact : yield* idOfHandle
      const page = yield* client.list(`/contacts/${encodeURIComponent(id)}/history`, { limit, since })
      yield* printList(json, page, ["at", "type", "channel", "status", "subject_id", "explanation"])
    })
)
