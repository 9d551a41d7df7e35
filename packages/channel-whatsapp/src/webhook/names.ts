import { Option, Schema } from "effect"

const readContact = Schema.decodeUnknownOption(
  Schema.Struct({
    wa_id: Schema.optional(Schema.String),
    user_id: Schema.optional(Schema.String),
    profile: Schema.optional(
      Schema.Struct({ name: Schema.optional(Schema.String), username: Schema.optional(Schema.String) })
    )
  })
)

/** What the `contacts` of a change call themselves, by number and by business-scoped user id as Meta spells them. */
export const namesOf = (contacts: ReadonlyArray<unknown>): ReadonlyMap<string, string> =>
  new Map(
    contacts.flatMap((contact) => {
      const { profile, user_id, wa_id } = Option.getOrElse(readContact(contact), () => nobody)
      const name = profile?.name ?? profile?.username
      return name === undefined ? [] : [wa_id, user_id].flatMap((id) => (id === undefined ? [] : [[id, name] as const]))
    })
  )

const nobody: Option.Option.Value<ReturnType<typeof readContact>> = {}
