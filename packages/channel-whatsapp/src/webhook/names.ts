import { fieldsOf, idOf, textOf } from "@parley/provider-kit"

/** The names of a change's `contacts`, by phone number and by business-scoped user id in Meta's spelling. */
export const namesOf = (contacts: ReadonlyArray<unknown>): ReadonlyMap<string, string> =>
  new Map(
    contacts.flatMap((contact) => {
      const { profile, user_id, wa_id } = fieldsOf(contact)
      const name = textOf(fieldsOf(profile).name) ?? textOf(fieldsOf(profile).username)
      return name === null
        ? []
        : [wa_id, user_id].flatMap((id) => (idOf(id) === null ? [] : [[String(id), name] as const]))
    })
  )

/** The business-scoped user ids of a change's `contacts`, by phone number, in Meta's spelling. */
export const userIdsOf = (contacts: ReadonlyArray<unknown>): ReadonlyMap<string, string> =>
  new Map(
    contacts.flatMap((contact) => {
      const { user_id, wa_id } = fieldsOf(contact)
      const [number, userId] = [idOf(wa_id), idOf(user_id)]
      return number === null || userId === null ? [] : [[number, userId] as const]
    })
  )
