import { Option, Schema } from "effect"

const readContact = Schema.decodeUnknownOption(
  Schema.Struct({
    wa_id: Schema.optionalWith(Schema.String, { nullable: true }),
    user_id: Schema.optionalWith(Schema.String, { nullable: true }),
    profile: Schema.optional(
      Schema.Struct({
        name: Schema.optionalWith(Schema.String, { nullable: true }),
        username: Schema.optionalWith(Schema.String, { nullable: true })
      })
    )
  })
)

/** The names of a change's `contacts`, by phone number and by business-scoped user id in Meta's spelling. */
export const namesOf = (contacts: ReadonlyArray<unknown>): ReadonlyMap<string, string> =>
  new Map(
    contacts.flatMap((contact) => {
      const { profile, user_id, wa_id } = Option.getOrElse(readContact(contact), () => noContact)
      const name = profile?.name ?? profile?.username
      return name === undefined ? [] : [wa_id, user_id].flatMap((id) => (id === undefined ? [] : [[id, name] as const]))
    })
  )

/** The business-scoped user ids of a change's `contacts`, by phone number, in Meta's spelling. */
export const userIdsOf = (contacts: ReadonlyArray<unknown>): ReadonlyMap<string, string> =>
  new Map(
    contacts.flatMap((contact) => {
      const { user_id, wa_id } = Option.getOrElse(readContact(contact), () => noContact)
      return wa_id === undefined || user_id === undefined ? [] : [[wa_id, user_id] as const]
    })
  )

const noContact: Option.Option.Value<ReturnType<typeof readContact>> = {}
