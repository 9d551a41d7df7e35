/** The moment at which rows were made that say nothing else. */
export const someTime = 1_780_000_000_000

/** The id of the workspace that rows belong to which name none. */
export const someWorkspaceId = "01900000-0000-7000-8000-000000000001"
/** The same for applications. */
export const someApplicationId = "01900000-0000-7000-8000-000000000002"
/** The same for connections. */
export const someConnectionId = "01900000-0000-7000-8000-000000000003"
/** The same for contacts. */
export const someContactId = "01900000-0000-7000-8000-000000000004"
/** The same for conversations. */
export const someConversationId = "01900000-0000-7000-8000-000000000005"
/** The same for endpoints. */
export const someEndpointId = "01900000-0000-7000-8000-000000000006"
/** The same for workflows. */
export const someWorkflowId = "01900000-0000-7000-8000-000000000007"

/** What a row is made of: its id at least. */
export type Given<T> = Partial<T> & { readonly id: string }
