import type { Connection } from "../../model/Connection.js"
import type { Template } from "../../model/Template.js"
import type { ChannelProvider } from "../../ports/ChannelProvider.js"

/** The account of templates that were made by hand: they are of every connection of the channel. */
export const noAccount = ""

/** The vendor's account whose templates a connection sends (docs/reference/templates.md#accounts). */
export const templateAccount = (
  provider: Pick<ChannelProvider, "webhook"> | undefined,
  connection: Pick<Connection, "id" | "channel" | "handle" | "config">
): string => provider?.webhook?.businessAccountOf?.(connection) ?? connection.id

/**
 * Of the templates of a name and channel those that a connection with this account sends, one for each language: those
 * of the account, else of no account. If neither has the name, those of another account, because the list of the
 * account may be out of date: the vendor decides.
 */
export const templatesOn = (account: string, namesakes: ReadonlyArray<Template>): ReadonlyArray<Template> => {
  const of = (wanted: string | undefined) => namesakes.filter((template) => template.account === wanted)
  const own = of(account)
  const handMade = of(noAccount).filter(({ language }) => own.every((template) => template.language !== language))
  const found = [...own, ...handMade]
  return found.length > 0 ? found : of(namesakes[0]?.account)
}
