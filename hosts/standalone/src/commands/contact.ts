import { Args, Command, Options } from "@effect/cli"
import { LifecycleStage } from "@parley/core"
import { Effect, Option } from "effect"
import type { AdminClient } from "./AdminClient.js"
import {
  apiCommand,
  argument,
  itemsOption,
  limitOption,
  needed,
  option,
  optionalChoice,
  workspaceFilter
} from "./apiCommand.js"
import { CommandFailed } from "./CommandFailed.js"
import { exportContacts } from "./contactExport.js"
import { history } from "./contactHistory.js"
import { importContacts } from "./contactImport.js"
import { exitCodes } from "./exitCodes.js"
import { hostCommand } from "./hostCommand.js"
import { printList, printOne } from "./output.js"
import { create, idOf, pathTo, show, update } from "./resource.js"
import { cell } from "./table.js"

const kind = { command: "contact", noun: "contact", path: "/contacts" }

const fields = {
  first_name: option("first-name", "The first name"),
  last_name: option("last-name", "The last name"),
  company: option("company", "The company"),
  email: option("email", "The email address"),
  phone: option("phone", "The phone number, beginning with +"),
  tags: itemsOption("tags", "Tags, separated by commas")
}

const find = apiCommand(
  "list",
  "List contacts, newest first, or find a contact by its handle. Example: parley contact list Example: parley contact list --handle ada@example.org",
  {
    limit: limitOption,
    handle: option("handle", "Only the contact with this handle, such as an email address or a phone number"),
    channel: option("channel", "The handle's channel (default: any)"),
    workspace: workspaceFilter
  },
  ({ channel, handle, limit, workspace }, { client, json, target }) =>
    Effect.gen(function* () {
      const workspace_id = handle === null ? workspace : yield* needed("workspace", workspace, target)
      const page = yield* client.list(kind.path, { limit, workspace_id, handle, channel })
      yield* printList(json, page, contactColumns)
    })
)

const contactColumns = ["id", "name", "email", "phone", "lifecycle_stage", "last_activity_at"]

const search = apiCommand(
  "search",
  "Find contacts by name, phone, email or company. Example: parley contact search ada Example: parley contact search --tag vip --stage customer",
  {
    text: Args.text({ name: "text" }).pipe(
      Args.withDescription("A part of the name, phone, email or company"),
      Args.optional,
      Args.map(Option.getOrNull)
    ),
    limit: limitOption,
    tag: option("tag", "Only contacts with this tag"),
    stage: optionalChoice("stage", LifecycleStage.literals, "Only contacts in this stage"),
    channel: option("channel", "Only contacts on this channel"),
    workspace: workspaceFilter
  },
  ({ channel, limit, stage, tag, text, workspace }, { client, json, target }) =>
    Effect.gen(function* () {
      const workspace_id = yield* needed("workspace", workspace, target)
      const query = { limit, workspace_id, search: text, tag, lifecycle_stage: stage, channel }
      yield* printList(json, yield* client.list(`${kind.path}/search`, query), contactColumns)
    })
)

const yesOrNo = (name: string, description: string) =>
  optionalChoice(name, ["yes", "no"], description).pipe(Options.map((word) => (word === null ? null : word === "yes")))

const yes = Options.boolean("yes").pipe(Options.withDescription("Confirm an action that cannot be undone"))

const named = (client: AdminClient, id: string) =>
  Effect.map(client.call("GET", pathTo(kind, id)), ({ name }) => `${cell(name)} (${id})`)

/** Requires `--yes` for an action that cannot be undone. */
const unconfirmed = (what: string) =>
  new CommandFailed({ message: `${what} This cannot be undone. Give --yes to confirm.`, code: exitCodes.misused })

const merge = apiCommand(
  "merge",
  "Merge another contact into one: its handles, conversations and leads move, and it is deleted. Example: parley contact merge <id> <other> --yes",
  { id: idOf(kind), other: argument("other", "The contact that is merged into the first one and deleted"), yes },
  ({ id, other, yes }, { client, json }) =>
    Effect.gen(function* () {
      if (!yes) {
        const [one, gone] = yield* Effect.all([named(client, id), named(client, other)])
        return yield* unconfirmed(`This merges ${gone} into ${one}.`)
      }
      yield* printOne(json, yield* client.call("POST", `${pathTo(kind, id)}/merge`, { contact_id: other }))
    })
)

const erase = apiCommand(
  "erase",
  "Erase a contact with all of its data; its fields are printed once more. Example: parley contact erase <id> --yes",
  { id: idOf(kind), yes },
  ({ id, yes }, { client, json }) =>
    Effect.gen(function* () {
      if (!yes) return yield* unconfirmed(`This erases ${yield* named(client, id)} with all of its data.`)
      yield* printOne(json, yield* client.call("DELETE", pathTo(kind, id)))
    })
)

const recount = hostCommand(
  "recount",
  "recount",
  "Rebuild the lists of contacts and their counts, after contacts were changed in the database by hand or by a host of an earlier version. It uses PARLEY_DATABASE_URL directly; on SQLite, stop the host first. Example: PARLEY_DATABASE_URL=postgres://… parley contact recount"
)

export const contact = Command.make("contact").pipe(
  Command.withDescription("Contacts: a workspace's customers"),
  Command.withSubcommands([
    find,
    search,
    show(kind),
    history,
    create(
      kind,
      "create",
      "Create a contact. Example: parley contact create --first-name Ada --email ada@example.org --tags vip",
      fields
    ),
    update(
      kind,
      "Update a contact; tags are replaced as a whole. Example: parley contact update <id> --company Acme Example: parley contact update <id> --opted-out yes",
      {
        ...fields,
        lifecycle_stage: optionalChoice("stage", ["lead", "prospect", "customer", "churned"], "The lifecycle stage"),
        opted_out: yesOrNo("opted-out", "Whether the contact opted out of all messages"),
        marketing_opted_out: yesOrNo("marketing-opted-out", "Whether the contact opted out of marketing messages")
      }
    ),
    merge,
    erase,
    importContacts,
    exportContacts,
    recount
  ])
)
