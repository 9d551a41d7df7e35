import { Command, Options } from "@effect/cli"
import { Effect } from "effect"
import type { AdminClient } from "./AdminClient.js"
import { CommandFailed } from "./CommandFailed.js"
import { exportContacts } from "./contactExport.js"
import { importContacts } from "./contactImport.js"
import { exitCodes } from "./exitCodes.js"
import {
  argument,
  itemsOf,
  leaf,
  limitOption,
  needed,
  option,
  optionalChoice,
  workspaceFilter,
  workspaceOption
} from "./leaf.js"
import { printList, printOne } from "./output.js"
import { given, idOf, pathTo, show, update } from "./resource.js"
import { cell } from "./table.js"

const kind = { command: "contact", noun: "contact", path: "/contacts" }

const fields = {
  firstName: option("first-name", "Their first name"),
  lastName: option("last-name", "Their last name"),
  company: option("company", "Where they work"),
  email: option("email", "Their email address"),
  phone: option("phone", "Their phone number, beginning with +"),
  tags: option("tags", "Tags, separated by commas")
}

const fieldsOf = (input: { readonly [name in keyof typeof fields]: string | null }) => ({
  first_name: input.firstName,
  last_name: input.lastName,
  company: input.company,
  email: input.email,
  phone: input.phone,
  tags: input.tags === null ? null : itemsOf(input.tags)
})

const list = leaf(
  "list",
  "List contacts, newest first, or find the one that has a handle. Example: parley contact list Example: parley contact list --handle ada@example.org",
  {
    limit: limitOption,
    handle: option("handle", "Only the one that has this handle, such as an email address or a number"),
    channel: option("channel", "The channel of the handle; any where it is left out"),
    workspace: workspaceFilter
  },
  ({ channel, handle, limit, workspace }, { client, json, target }) =>
    Effect.gen(function* () {
      const workspace_id = handle === null ? workspace : yield* needed("workspace", workspace, target)
      const page = yield* client.list(kind.path, { limit, workspace_id, handle, channel })
      yield* printList(json, page, ["id", "name", "email", "phone", "lifecycle_stage", "last_activity_at"])
    })
)

const create = leaf(
  "create",
  "Create a contact. Example: parley contact create --first-name Ada --email ada@example.org --tags vip",
  { ...fields, workspace: workspaceOption },
  (input, { client, json, target }) =>
    Effect.gen(function* () {
      const workspace_id = yield* needed("workspace", input.workspace, target)
      yield* printOne(json, yield* client.call("POST", kind.path, { workspace_id, ...given(fieldsOf(input)) }))
    })
)

const change = update(
  kind,
  "Change a contact: tags are replaced as a whole. Example: parley contact update <id> --company Acme Example: parley contact update <id> --opted-out yes",
  {
    ...fields,
    stage: optionalChoice("stage", ["lead", "prospect", "customer", "churned"], "Their lifecycle stage"),
    optedOut: optionalChoice("opted-out", ["yes", "no"], "Whether they want no messages at all"),
    marketingOptedOut: optionalChoice("marketing-opted-out", ["yes", "no"], "Whether they want no marketing")
  },
  (input) => ({
    ...fieldsOf(input),
    lifecycle_stage: input.stage,
    opted_out: input.optedOut === null ? null : input.optedOut === "yes",
    marketing_opted_out: input.marketingOptedOut === null ? null : input.marketingOptedOut === "yes"
  })
)

const yes = Options.boolean("yes").pipe(Options.withDescription("Do it, although it cannot be undone"))

const named = (client: AdminClient, id: string) =>
  Effect.map(client.call("GET", pathTo(kind, id)), ({ name }) => `${cell(name)} (${id})`)

/** What cannot be undone is done when it was said twice. */
const unconfirmed = (what: string) =>
  new CommandFailed({ message: `${what} That cannot be undone. Say --yes to do it.`, code: exitCodes.misused })

const merge = leaf(
  "merge",
  "Fold another contact into one: its handles, conversations and leads move, and it is gone. Example: parley contact merge <id> <other> --yes",
  { id: idOf(kind), other: argument("other", "The contact that is folded into the first"), yes },
  ({ id, other, yes }, { client, json }) =>
    Effect.gen(function* () {
      if (!yes) {
        const [one, gone] = yield* Effect.all([named(client, id), named(client, other)])
        return yield* unconfirmed(`This folds ${gone} into ${one}.`)
      }
      yield* printOne(json, yield* client.call("POST", `${pathTo(kind, id)}/merge`, { contact_id: other }))
    })
)

const erase = leaf(
  "erase",
  "Erase a contact with all that is kept of it, for ever; what it was is printed a last time. Example: parley contact erase <id> --yes",
  { id: idOf(kind), yes },
  ({ id, yes }, { client, json }) =>
    Effect.gen(function* () {
      if (!yes) return yield* unconfirmed(`This erases ${yield* named(client, id)} with all that is kept of it.`)
      yield* printOne(json, yield* client.call("DELETE", pathTo(kind, id)))
    })
)

export const contact = Command.make("contact").pipe(
  Command.withDescription("Contacts: a workspace's customers"),
  Command.withSubcommands([list, show(kind), create, change, merge, erase, importContacts, exportContacts])
)
