// Made by `npm run generate` from the OpenAPI document of @parley/http; change that instead.

import type { ChannelName } from "../ChannelName.js";
export interface paths {
    readonly "/attachments": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Upload a file to send it */
        readonly post: {
            readonly parameters: {
                readonly query?: {
                    /** @description The file's name, if the body is the file's bytes. A form has it beside the file. */
                    readonly file_name?: string;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    readonly "application/octet-stream": string;
                    readonly "multipart/form-data": {
                        /** Format: binary */
                        readonly file: string;
                    };
                };
            };
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/attachments/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read one upload */
        readonly get: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path: {
                    /**
                     * @description The upload's id.
                     * @example 0190a1b2-0000-7000-8000-000000000001
                     */
                    readonly id: string;
                };
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/channels": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the connections on the application's allow-list */
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description Page number, from 1. */
                    readonly page?: number;
                    /** @description Page size. */
                    readonly per_page?: number;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/contacts": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List contacts by name */
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description Only those on this channel. */
                    readonly channel?: string;
                    /** @description Only those created after this date or time. */
                    readonly created_after?: string;
                    /** @description Only contacts in this stage. */
                    readonly lifecycle_stage?: "lead" | "prospect" | "customer" | "churned";
                    /** @description Page number, from 1. */
                    readonly page?: number;
                    /** @description Page size. */
                    readonly per_page?: number;
                    /** @description Free text in name, phone, email and company. */
                    readonly search?: string;
                    /** @description Only contacts that carry this tag. */
                    readonly tag?: string;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        /** Create a contact */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    readonly "application/json": components["schemas"]["ContactInput"];
                };
            };
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/contacts/{contact}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read one contact */
        readonly get: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path: {
                    /**
                     * @description The contact's id.
                     * @example 0190a1b2-0000-7000-8000-000000000001
                     */
                    readonly contact: string;
                };
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/conversations": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List conversations by last activity, newest first */
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description Only those on this connection. */
                    readonly connection_id?: string;
                    /** @description Only those of this contact. */
                    readonly contact_id?: string;
                    /** @description From `links.next` of the previous page; valid for the same filters only. */
                    readonly cursor?: string;
                    /** @description Page size. */
                    readonly limit?: number;
                    /** @description Only those with this status. */
                    readonly status?: "open" | "pending" | "resolved" | "closed";
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/conversations/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read one conversation */
        readonly get: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path: {
                    /**
                     * @description The conversation's id.
                     * @example 0190a1b2-0000-7000-8000-000000000001
                     */
                    readonly id: string;
                };
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/conversations/{id}/messages": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List a conversation's messages, newest first */
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description From `links.next` of the previous page; valid for the same filters only. */
                    readonly cursor?: string;
                    /** @description Page size. */
                    readonly limit?: number;
                };
                readonly header?: never;
                readonly path: {
                    /**
                     * @description The conversation's id.
                     * @example 0190a1b2-0000-7000-8000-000000000001
                     */
                    readonly id: string;
                };
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/conversations/{id}/read": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Show the customer that the business has read the messages */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path: {
                    /**
                     * @description The conversation's id.
                     * @example 0190a1b2-0000-7000-8000-000000000001
                     */
                    readonly id: string;
                };
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/conversations/{id}/typing": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Show the customer that the business types */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path: {
                    /**
                     * @description The conversation's id.
                     * @example 0190a1b2-0000-7000-8000-000000000001
                     */
                    readonly id: string;
                };
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Post a named business event */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    readonly "application/json": components["schemas"]["BusinessEventInput"];
                };
            };
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/leads": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Create a lead in a pipeline */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    readonly "application/json": components["schemas"]["LeadInput"];
                };
            };
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/messages": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Send a text or template message */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    readonly "application/json": components["schemas"]["SendMessageInput"];
                };
            };
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/messages/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read one message with its delivery times */
        readonly get: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path: {
                    /**
                     * @description The message's id.
                     * @example 0190a1b2-0000-7000-8000-000000000001
                     */
                    readonly id: string;
                };
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/oauth/token": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Exchange client credentials for an access token */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    readonly "application/json": components["schemas"]["TokenInput"];
                    readonly "application/x-www-form-urlencoded": components["schemas"]["TokenForm"];
                };
            };
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/templates": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List templates by name */
        readonly get: {
            readonly parameters: {
                readonly query?: {
                    /** @description Whether templates that cannot be sent are listed too. */
                    readonly include_unapproved?: boolean;
                    /** @description Only those in this language. */
                    readonly language?: string;
                    /** @description Page number, from 1. */
                    readonly page?: number;
                    /** @description Page size. */
                    readonly per_page?: number;
                };
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody?: never;
            readonly responses: never;
        };
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export interface webhooks {
    readonly "bot.completed": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** bot.completed */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    readonly "application/json": {
                        readonly created_at: components["schemas"]["Timestamp"];
                        readonly data: {
                            readonly bot: components["schemas"]["Bot"];
                            readonly conversation: components["schemas"]["Conversation"];
                        };
                        /**
                         * Format: uuid
                         * @example 0190a1b2-0000-7000-8000-00000000000e
                         */
                        readonly id: string;
                        /** @enum {string} */
                        readonly type: "bot.completed";
                    };
                };
            };
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "bot.handoff": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** bot.handoff */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    readonly "application/json": {
                        readonly created_at: components["schemas"]["Timestamp"];
                        readonly data: {
                            readonly bot: components["schemas"]["Bot"];
                            readonly conversation: components["schemas"]["Conversation"];
                        };
                        /**
                         * Format: uuid
                         * @example 0190a1b2-0000-7000-8000-00000000000e
                         */
                        readonly id: string;
                        /** @enum {string} */
                        readonly type: "bot.handoff";
                    };
                };
            };
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "bot.started": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** bot.started */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    readonly "application/json": {
                        readonly created_at: components["schemas"]["Timestamp"];
                        readonly data: {
                            readonly bot: components["schemas"]["Bot"];
                            readonly conversation: components["schemas"]["Conversation"];
                        };
                        /**
                         * Format: uuid
                         * @example 0190a1b2-0000-7000-8000-00000000000e
                         */
                        readonly id: string;
                        /** @enum {string} */
                        readonly type: "bot.started";
                    };
                };
            };
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "contact.created": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** contact.created */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    readonly "application/json": {
                        readonly created_at: components["schemas"]["Timestamp"];
                        readonly data: {
                            readonly contact: components["schemas"]["Contact"];
                        };
                        /**
                         * Format: uuid
                         * @example 0190a1b2-0000-7000-8000-00000000000e
                         */
                        readonly id: string;
                        /** @enum {string} */
                        readonly type: "contact.created";
                    };
                };
            };
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "contact.updated": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** contact.updated */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    readonly "application/json": {
                        readonly created_at: components["schemas"]["Timestamp"];
                        readonly data: {
                            readonly contact: components["schemas"]["Contact"];
                        };
                        /**
                         * Format: uuid
                         * @example 0190a1b2-0000-7000-8000-00000000000e
                         */
                        readonly id: string;
                        /** @enum {string} */
                        readonly type: "contact.updated";
                    };
                };
            };
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "conversation.assigned": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** conversation.assigned */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    readonly "application/json": {
                        readonly created_at: components["schemas"]["Timestamp"];
                        readonly data: {
                            readonly conversation: components["schemas"]["Conversation"];
                            /** Format: uuid */
                            readonly previous_team_id: string | null;
                            /** Format: uuid */
                            readonly previous_user_id: string | null;
                        };
                        /**
                         * Format: uuid
                         * @example 0190a1b2-0000-7000-8000-00000000000e
                         */
                        readonly id: string;
                        /** @enum {string} */
                        readonly type: "conversation.assigned";
                    };
                };
            };
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "conversation.created": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** conversation.created */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    readonly "application/json": {
                        readonly created_at: components["schemas"]["Timestamp"];
                        readonly data: {
                            readonly conversation: components["schemas"]["Conversation"];
                        };
                        /**
                         * Format: uuid
                         * @example 0190a1b2-0000-7000-8000-00000000000e
                         */
                        readonly id: string;
                        /** @enum {string} */
                        readonly type: "conversation.created";
                    };
                };
            };
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "conversation.status_changed": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** conversation.status_changed */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    readonly "application/json": {
                        readonly created_at: components["schemas"]["Timestamp"];
                        readonly data: {
                            readonly conversation: components["schemas"]["Conversation"];
                            /** @enum {string} */
                            readonly previous_status: "open" | "pending" | "resolved" | "closed";
                        };
                        /**
                         * Format: uuid
                         * @example 0190a1b2-0000-7000-8000-00000000000e
                         */
                        readonly id: string;
                        /** @enum {string} */
                        readonly type: "conversation.status_changed";
                    };
                };
            };
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "enqueued.failed": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** enqueued.failed */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    readonly "application/json": {
                        readonly created_at: components["schemas"]["Timestamp"];
                        readonly data: {
                            readonly enqueued: components["schemas"]["EnqueuedFailure"];
                        };
                        /**
                         * Format: uuid
                         * @example 0190a1b2-0000-7000-8000-00000000000e
                         */
                        readonly id: string;
                        /** @enum {string} */
                        readonly type: "enqueued.failed";
                    };
                };
            };
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "lead.created": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** lead.created */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    readonly "application/json": {
                        readonly created_at: components["schemas"]["Timestamp"];
                        readonly data: {
                            readonly lead: components["schemas"]["Lead"];
                        };
                        /**
                         * Format: uuid
                         * @example 0190a1b2-0000-7000-8000-00000000000e
                         */
                        readonly id: string;
                        /** @enum {string} */
                        readonly type: "lead.created";
                    };
                };
            };
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "lead.stage_changed": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** lead.stage_changed */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    readonly "application/json": {
                        readonly created_at: components["schemas"]["Timestamp"];
                        readonly data: {
                            /** @example new */
                            readonly from_stage: string;
                            readonly lead: components["schemas"]["Lead"];
                            /** @example won */
                            readonly to_stage: string;
                        };
                        /**
                         * Format: uuid
                         * @example 0190a1b2-0000-7000-8000-00000000000e
                         */
                        readonly id: string;
                        /** @enum {string} */
                        readonly type: "lead.stage_changed";
                    };
                };
            };
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "message.delivered": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** message.delivered */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    readonly "application/json": {
                        readonly created_at: components["schemas"]["Timestamp"];
                        readonly data: {
                            readonly message: components["schemas"]["Message"];
                        };
                        readonly external_reference?: string | null;
                        /**
                         * Format: uuid
                         * @example 0190a1b2-0000-7000-8000-00000000000e
                         */
                        readonly id: string;
                        /** @enum {string} */
                        readonly type: "message.delivered";
                    };
                };
            };
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "message.failed": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** message.failed */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    readonly "application/json": {
                        readonly created_at: components["schemas"]["Timestamp"];
                        readonly data: {
                            readonly message: components["schemas"]["Message"];
                        };
                        readonly external_reference?: string | null;
                        /**
                         * Format: uuid
                         * @example 0190a1b2-0000-7000-8000-00000000000e
                         */
                        readonly id: string;
                        /** @enum {string} */
                        readonly type: "message.failed";
                    };
                };
            };
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "message.queued": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** message.queued */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    readonly "application/json": {
                        readonly created_at: components["schemas"]["Timestamp"];
                        readonly data: {
                            readonly message: components["schemas"]["Message"];
                        };
                        readonly external_reference?: string | null;
                        /**
                         * Format: uuid
                         * @example 0190a1b2-0000-7000-8000-00000000000e
                         */
                        readonly id: string;
                        /** @enum {string} */
                        readonly type: "message.queued";
                    };
                };
            };
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "message.read": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** message.read */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    readonly "application/json": {
                        readonly created_at: components["schemas"]["Timestamp"];
                        readonly data: {
                            readonly message: components["schemas"]["Message"];
                        };
                        readonly external_reference?: string | null;
                        /**
                         * Format: uuid
                         * @example 0190a1b2-0000-7000-8000-00000000000e
                         */
                        readonly id: string;
                        /** @enum {string} */
                        readonly type: "message.read";
                    };
                };
            };
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "message.received": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** message.received */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    readonly "application/json": {
                        readonly created_at: components["schemas"]["Timestamp"];
                        readonly data: {
                            readonly message: components["schemas"]["Message"];
                        };
                        /**
                         * Format: uuid
                         * @example 0190a1b2-0000-7000-8000-00000000000e
                         */
                        readonly id: string;
                        /** @enum {string} */
                        readonly type: "message.received";
                    };
                };
            };
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "message.sent": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** message.sent */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    readonly "application/json": {
                        readonly created_at: components["schemas"]["Timestamp"];
                        readonly data: {
                            readonly message: components["schemas"]["Message"];
                        };
                        readonly external_reference?: string | null;
                        /**
                         * Format: uuid
                         * @example 0190a1b2-0000-7000-8000-00000000000e
                         */
                        readonly id: string;
                        /** @enum {string} */
                        readonly type: "message.sent";
                    };
                };
            };
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "webhook.test": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** webhook.test */
        readonly post: {
            readonly parameters: {
                readonly query?: never;
                readonly header?: never;
                readonly path?: never;
                readonly cookie?: never;
            };
            readonly requestBody: {
                readonly content: {
                    readonly "application/json": {
                        readonly created_at: components["schemas"]["Timestamp"];
                        readonly data: {
                            readonly test: components["schemas"]["WebhookTest"];
                        };
                        /**
                         * Format: uuid
                         * @example 0190a1b2-0000-7000-8000-00000000000e
                         */
                        readonly id: string;
                        /** @enum {string} */
                        readonly type: "webhook.test";
                    };
                };
            };
            readonly responses: never;
        };
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @description A token to send as `Authorization: Bearer <token>`.
         * @example {
         *       "access_token": "parley_at_0123456789abcdefghijklmnopqrstuv",
         *       "token_type": "Bearer",
         *       "expires_in": 3600,
         *       "scope": "messages.send messages.read"
         *     }
         */
        readonly AccessToken: {
            /** @example parley_at_0123456789abcdefghijklmnopqrstuv */
            readonly access_token: string;
            /**
             * int
             * @description Seconds.
             * @example 3600
             */
            readonly expires_in: number;
            /**
             * @description The granted scopes, separated by spaces.
             * @example messages.send messages.read
             */
            readonly scope: string;
            /** @enum {string} */
            readonly token_type: "Bearer";
        };
        /**
         * @description A file of a message.
         * @example {
         *       "id": "0190a1b2-0000-8000-8000-00000000001a",
         *       "type": "image",
         *       "content_type": "image/jpeg",
         *       "file_name": "parcel.jpg",
         *       "size": 48213,
         *       "url": "https://api.example.com/media/0190a1b2-0000-8000-8000-00000000001a?expires=1777890600&signature=wJalrXUtnFEMI_K7MDENG-bPxRfiCYEXAMPLEKEY0123",
         *       "expires_at": "2026-05-04T10:30:00.000Z"
         *     }
         */
        readonly Attachment: {
            /**
             * @description As reported by the channel; otherwise `application/octet-stream`.
             * @example image/jpeg
             */
            readonly content_type: string;
            /** @description Of a sound or a video, in seconds; absent if the channel does not say it. */
            readonly duration?: number;
            /**
             * @description End of the URL's validity. Reading the message again returns a new URL.
             * @example 2026-05-04T10:30:00.000Z
             */
            readonly expires_at: components["schemas"]["Timestamp"] | null;
            /**
             * @description The sender's file name, without folders.
             * @example parcel.jpg
             */
            readonly file_name: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-8000-8000-00000000001a
             */
            readonly id: string;
            /**
             * @description In bytes; 0 until the file was downloaded from the channel.
             * @example 48213
             */
            readonly size: number;
            /** @enum {string} */
            readonly type: "image" | "video" | "audio" | "voice" | "document" | "sticker" | "other";
            /**
             * @description Serves the file until `expires_at`, without a credential: each response and each attempt of a webhook has a new URL. It responds 503 with `Retry-After` until the file is downloaded, 404 if the download failed, 403 after the expiry. Null in webhooks of a service that does not know its own public URL.
             * @example https://api.example.com/media/0190a1b2-0000-8000-8000-00000000001a?expires=1777890600&signature=wJalrXUtnFEMI_K7MDENG-bPxRfiCYEXAMPLEKEY0123
             */
            readonly url: string | null;
        };
        /**
         * @description A chatbot's session on a conversation.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-00000000000a",
         *       "name": "Welcome",
         *       "session_id": "0190a1b2-0000-7000-8000-00000000000b",
         *       "started_at": "2026-05-04T08:30:00.000Z",
         *       "answers": {
         *         "topic": "delivery"
         *       },
         *       "outcome": "finished"
         *     }
         */
        readonly Bot: {
            /**
             * @description Collected answers; on `bot.handoff` and `bot.completed`.
             * @example {
             *       "topic": "delivery"
             *     }
             */
            readonly answers?: Record<string, unknown>;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-00000000000a
             */
            readonly id: string;
            /** @example Welcome */
            readonly name: string;
            /**
             * @description How the session ended; on `bot.completed`.
             * @example finished
             * @enum {string}
             */
            readonly outcome?: "finished" | "timed_out" | "stopped" | "failed";
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-00000000000b
             */
            readonly session_id: string;
            readonly started_at: components["schemas"]["Timestamp"];
        };
        /**
         * @description Something that happened in your system. It names one contact, by `contact_id` or by `identity`.
         * @example {
         *       "event": "order.shipped",
         *       "contact_id": "0190a1b2-0000-7000-8000-000000000001",
         *       "dedupe_key": "order-1042",
         *       "data": {
         *         "order": {
         *           "number": 1042,
         *           "carrier": "DHL"
         *         }
         *       }
         *     }
         * @example {
         *       "event": "order.shipped",
         *       "identity": {
         *         "channel": "whatsapp",
         *         "external_id": "+4915112345678"
         *       }
         *     }
         */
        readonly BusinessEventInput: {
            /** Format: uuid */
            readonly contact_id?: string | null;
            /** @description Available to workflows as `{{data.<key>}}`; at most 32 levels deep. */
            readonly data?: Record<string, unknown> | null;
            /** @description A second event with the same key starts no workflow again. */
            readonly dedupe_key?: string | null;
            /** @description Matched exactly against the workflows that listen. */
            readonly event: string;
            /** @description A handle of the contact on a channel. */
            readonly identity?: {
                /** @enum {string} */
                readonly channel: "whatsapp" | "telegram" | "instagram" | "facebook" | "email" | "phone";
                readonly external_id: string;
            } | null;
        };
        /**
         * @description What the channel can do.
         * @example {
         *       "text_max_length": 4096,
         *       "templates": true,
         *       "delivery_receipts": true,
         *       "read_receipts": true,
         *       "service_window_hours": 24,
         *       "types": [
         *         "text",
         *         "template",
         *         "media",
         *         "location",
         *         "choices",
         *         "reaction"
         *       ],
         *       "receives": [
         *         "text",
         *         "media",
         *         "location",
         *         "choice",
         *         "reaction",
         *         "unsupported"
         *       ],
         *       "choices": {
         *         "options": 10,
         *         "question_length": 1024,
         *         "title_length": 24,
         *         "id_length": 200,
         *         "description_length": 72,
         *         "button_length": 20
         *       },
         *       "files": {
         *         "count": 1,
         *         "per_send": 10,
         *         "bytes": 26214400,
         *         "bytes_by_type": {
         *           "image": 8388608,
         *           "video": 26214400,
         *           "audio": 26214400,
         *           "document": 26214400
         *         },
         *         "types": null,
         *         "caption_length": 1024
         *       },
         *       "location_urls": false,
         *       "reactions": null,
         *       "quotes": true,
         *       "typing": true,
         *       "read_marks": true
         *     }
         */
        readonly Capabilities: {
            /**
             * @description Limits of the type `choices`: the number of options, and lengths in characters; null: that of a text; 0: not shown.
             * @example {
             *       "options": 10,
             *       "question_length": 1024,
             *       "title_length": 24,
             *       "id_length": 200,
             *       "description_length": 72,
             *       "button_length": 20
             *     }
             */
            readonly choices: {
                readonly button_length: number;
                readonly description_length: number;
                readonly id_length: number;
                readonly options: number;
                readonly question_length: number | null;
                readonly title_length: number;
            } | null;
            /** @example true */
            readonly delivery_receipts: boolean;
            /**
             * @description Limits of the type `media`: the number of files in one message, and of a send, whose files become several messages if they are more; the size of each in bytes, at most, and by its type.
             * @example {
             *       "count": 1,
             *       "per_send": 10,
             *       "bytes": 26214400,
             *       "bytes_by_type": {
             *         "image": 8388608,
             *         "video": 26214400,
             *         "audio": 26214400,
             *         "document": 26214400
             *       },
             *       "types": null,
             *       "caption_length": 1024
             *     }
             */
            readonly files: {
                readonly bytes: number;
                readonly bytes_by_type: {
                    readonly audio: number;
                    readonly document: number;
                    readonly image: number;
                    readonly video: number;
                };
                readonly caption_length: number | null;
                readonly count: number;
                readonly per_send: number;
                readonly types: readonly string[] | null;
            } | null;
            /**
             * @description Whether a location that is sent can have a `url`.
             * @example false
             */
            readonly location_urls: boolean;
            /**
             * @description Whether a send can quote a message.
             * @example true
             */
            readonly quotes: boolean;
            /**
             * @description The emoji that a `reaction` can have, where the channel takes the type; null: any emoji.
             * @example null
             */
            readonly reactions: readonly string[] | null;
            /**
             * @description Whether `POST /conversations/{id}/read` shows the customer that the business has read the messages.
             * @example true
             */
            readonly read_marks: boolean;
            /** @example true */
            readonly read_receipts: boolean;
            /**
             * @description The values of `type` that messages of customers can have.
             * @example [
             *       "text",
             *       "media",
             *       "location",
             *       "choice",
             *       "reaction",
             *       "unsupported"
             *     ]
             */
            readonly receives: readonly ("text" | "template" | "media" | "location" | "contacts" | "choices" | "choice" | "form" | "order" | "reaction" | "edit" | "deletion" | "system" | "unsupported")[];
            /**
             * @description Hours after a customer's message in which free text is allowed; null: at any time.
             * @example 24
             */
            readonly service_window_hours: number | null;
            /** @example true */
            readonly templates: boolean;
            /**
             * @description Maximum length of a text in characters; null: no limit.
             * @example 4096
             */
            readonly text_max_length: number | null;
            /**
             * @description The values of `type` that `POST /messages` takes on the channel.
             * @example [
             *       "text",
             *       "template",
             *       "media",
             *       "location",
             *       "choices",
             *       "reaction"
             *     ]
             */
            readonly types: readonly ("text" | "template" | "media" | "location" | "contacts" | "choices" | "reaction")[];
            /**
             * @description Whether `POST /conversations/{id}/typing` shows the customer that the business types.
             * @example true
             */
            readonly typing: boolean;
        };
        /**
         * @description A connection that the application may send on and receives events of.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000003",
         *       "channel": "whatsapp",
         *       "name": "Shop",
         *       "handle": "+4930123456",
         *       "status": "active",
         *       "is_test": false,
         *       "capabilities": {
         *         "text_max_length": 4096,
         *         "templates": true,
         *         "delivery_receipts": true,
         *         "read_receipts": true,
         *         "service_window_hours": 24,
         *         "types": [
         *           "text",
         *           "template",
         *           "media",
         *           "location",
         *           "choices",
         *           "reaction"
         *         ],
         *         "receives": [
         *           "text",
         *           "media",
         *           "location",
         *           "choice",
         *           "reaction",
         *           "unsupported"
         *         ],
         *         "choices": {
         *           "options": 10,
         *           "question_length": 1024,
         *           "title_length": 24,
         *           "id_length": 200,
         *           "description_length": 72,
         *           "button_length": 20
         *         },
         *         "files": {
         *           "count": 1,
         *           "per_send": 10,
         *           "bytes": 26214400,
         *           "bytes_by_type": {
         *             "image": 8388608,
         *             "video": 26214400,
         *             "audio": 26214400,
         *             "document": 26214400
         *           },
         *           "types": null,
         *           "caption_length": 1024
         *         },
         *         "location_urls": false,
         *         "reactions": null,
         *         "quotes": true,
         *         "typing": true,
         *         "read_marks": true
         *       }
         *     }
         */
        readonly Channel: {
            readonly capabilities: components["schemas"]["Capabilities"];
            /**
             * Format: channel
             * @example whatsapp
             */
            readonly channel: ChannelName;
            /**
             * @description The business's own handle.
             * @example +4930123456
             */
            readonly handle: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000003
             */
            readonly id: string;
            readonly is_test: boolean;
            /** @example Shop */
            readonly name: string;
            /**
             * @description Only active connections can send.
             * @enum {string}
             */
            readonly status: "active" | "paused" | "disconnected";
        };
        /**
         * @description An option that the customer chose.
         * @example {
         *       "type": "choice",
         *       "id": "tuesday",
         *       "title": "Tuesday"
         *     }
         */
        readonly ChoiceContent: {
            /**
             * @description Id of the option: the payload of a button, the id of a list row. Null if the channel has none.
             * @example tuesday
             */
            readonly id: string | null;
            /**
             * @description `repeated`: the customer has chosen an option of the same question before. `late`: the business has asked another question since. Else `first`. Absent if the question is not known.
             * @enum {string}
             */
            readonly timing?: "first" | "late" | "repeated";
            /**
             * @description Label of the option, or its id if the channel does not return the label.
             * @example Tuesday
             */
            readonly title: string;
            /** @enum {string} */
            readonly type: "choice";
        };
        /**
         * @description A question with options; `body` is the question.
         * @example {
         *       "type": "choices",
         *       "options": [
         *         {
         *           "id": "tuesday",
         *           "title": "Tuesday",
         *           "description": null
         *         }
         *       ],
         *       "button": null
         *     }
         */
        readonly ChoicesContent: {
            /**
             * @description Label of the button that opens a list of options, if the channel has lists.
             * @example null
             */
            readonly button: string | null;
            /** @description At least one. */
            readonly options: readonly {
                /**
                 * @description Second line of the option, if the channel shows one.
                 * @example null
                 */
                readonly description: string | null;
                /**
                 * @description Returned as `id` of the customer's choice.
                 * @example tuesday
                 */
                readonly id: string;
                /**
                 * @description Label of the option.
                 * @example Tuesday
                 */
                readonly title: string;
            }[];
            /** @enum {string} */
            readonly type: "choices";
        };
        /**
         * @description A customer of the workspace.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000001",
         *       "first_name": "Ada",
         *       "last_name": "Lovelace",
         *       "name": "Ada Lovelace",
         *       "company": null,
         *       "job_title": null,
         *       "email": "ada@example.com",
         *       "phone": "+4915112345678",
         *       "country": "GB",
         *       "city": "London",
         *       "language": "en",
         *       "lifecycle_stage": "customer",
         *       "opted_out": false,
         *       "marketing_opted_out": false,
         *       "last_activity_at": "2026-05-04T08:30:00.000Z",
         *       "created_at": "2026-05-04T08:30:00.000Z",
         *       "identities": [
         *         {
         *           "channel": "email",
         *           "handle": "ada@example.com",
         *           "display_name": null
         *         },
         *         {
         *           "channel": "phone",
         *           "handle": "+4915112345678",
         *           "display_name": null
         *         },
         *         {
         *           "channel": "telegram",
         *           "handle": "ada_l",
         *           "display_name": "Ada"
         *         }
         *       ],
         *       "tags": [
         *         "vip"
         *       ]
         *     }
         */
        readonly Contact: {
            /** @example London */
            readonly city: string | null;
            readonly company: string | null;
            /** @example GB */
            readonly country: string | null;
            readonly created_at: components["schemas"]["Timestamp"];
            /** @example ada@example.com */
            readonly email: string | null;
            /** @example Ada */
            readonly first_name: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000001
             */
            readonly id: string;
            /**
             * @description The contact's handles on channels.
             * @example [
             *       {
             *         "channel": "email",
             *         "handle": "ada@example.com",
             *         "display_name": null
             *       },
             *       {
             *         "channel": "phone",
             *         "handle": "+4915112345678",
             *         "display_name": null
             *       },
             *       {
             *         "channel": "telegram",
             *         "handle": "ada_l",
             *         "display_name": "Ada"
             *       }
             *     ]
             */
            readonly identities: readonly components["schemas"]["Identity"][];
            readonly job_title: string | null;
            /** @example en */
            readonly language: string | null;
            /** @description When the last message went in or out. */
            readonly last_activity_at: components["schemas"]["Timestamp"];
            /** @example Lovelace */
            readonly last_name: string | null;
            /**
             * @example customer
             * @enum {string}
             */
            readonly lifecycle_stage: "lead" | "prospect" | "customer" | "churned";
            /** @description Whether the contact wants no templates of the category `marketing`. */
            readonly marketing_opted_out: boolean;
            /**
             * @description First and last name; without them company, email, phone or the first handle.
             * @example Ada Lovelace
             */
            readonly name: string;
            /** @description Whether the contact wants no messages at all. */
            readonly opted_out: boolean;
            /** @example +4915112345678 */
            readonly phone: string | null;
            /**
             * @example [
             *       "vip"
             *     ]
             */
            readonly tags: readonly string[];
        };
        /**
         * @description A contact to create. At least one of `email`, `phone` and `identities` is required. An empty string is the same as null.
         * @example {
         *       "first_name": "Ada",
         *       "last_name": "Lovelace",
         *       "email": "ada@example.com",
         *       "phone": "+4915112345678",
         *       "country": "GB",
         *       "lifecycle_stage": "customer",
         *       "tags": [
         *         "vip"
         *       ],
         *       "identities": [
         *         {
         *           "channel": "telegram",
         *           "handle": "ada_l"
         *         }
         *       ]
         *     }
         */
        readonly ContactInput: {
            readonly city?: string | null;
            readonly company?: string | null;
            /**
             * @description A country code of two letters.
             * @example GB
             */
            readonly country?: string | null;
            /** @description Values by the keys of fields that the workspace defines. */
            readonly custom_fields?: Record<string, unknown> | null;
            /**
             * @description Claims this address for the contact.
             * @example ada@example.com
             */
            readonly email?: string | null;
            /** @example Ada */
            readonly first_name?: string | null;
            /**
             * @description Handles on channels. A handle belongs to at most one contact.
             * @example [
             *       {
             *         "channel": "telegram",
             *         "handle": "ada_l"
             *       }
             *     ]
             */
            readonly identities?: readonly {
                /** @enum {string} */
                readonly channel: "whatsapp" | "telegram" | "instagram" | "facebook" | "email" | "phone";
                readonly handle: string;
            }[] | null;
            readonly job_title?: string | null;
            readonly language?: string | null;
            /** @example Lovelace */
            readonly last_name?: string | null;
            /**
             * @description Default: `lead`.
             * @example customer
             * @enum {string|null}
             */
            readonly lifecycle_stage?: "lead" | "prospect" | "customer" | "churned" | null;
            /**
             * @description Claims this number for the contact: `+` and 7 to 15 digits; spaces, dots, dashes and brackets are removed.
             * @example +4915112345678
             */
            readonly phone?: string | null;
            /**
             * @description Tags that are not there yet are created.
             * @example [
             *       "vip"
             *     ]
             */
            readonly tags?: readonly string[] | null;
            /** @description Such as `Europe/London`. */
            readonly timezone?: string | null;
        };
        /**
         * @description Contacts from an address book.
         * @example {
         *       "type": "contacts",
         *       "contacts": [
         *         {
         *           "name": "Ada Lovelace",
         *           "organization": null,
         *           "phones": [
         *             "+4930123456"
         *           ],
         *           "emails": []
         *         }
         *       ]
         *     }
         */
        readonly ContactsContent: {
            /** @description At least one. */
            readonly contacts: readonly {
                /**
                 * @description Email addresses.
                 * @example []
                 */
                readonly emails: readonly string[];
                /**
                 * @description Full name.
                 * @example Ada Lovelace
                 */
                readonly name: string;
                /**
                 * @description Company of the person.
                 * @example null
                 */
                readonly organization: string | null;
                /**
                 * @description Phone numbers, as the sender's address book has them.
                 * @example [
                 *       "+4930123456"
                 *     ]
                 */
                readonly phones: readonly string[];
            }[];
            /** @enum {string} */
            readonly type: "contacts";
        };
        /**
         * @description All messages with one handle on one connection.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000002",
         *       "contact_id": "0190a1b2-0000-7000-8000-000000000001",
         *       "connection_id": "0190a1b2-0000-7000-8000-000000000003",
         *       "channel": "whatsapp",
         *       "status": "open",
         *       "assigned_user_id": "0190a1b2-0000-7000-8000-000000000008",
         *       "assigned_team_id": null,
         *       "last_activity_at": "2026-05-04T08:30:00.000Z",
         *       "service_window_expires_at": null,
         *       "created_at": "2026-05-04T08:30:00.000Z"
         *     }
         */
        readonly Conversation: {
            /** Format: uuid */
            readonly assigned_team_id: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000008
             */
            readonly assigned_user_id: string | null;
            /**
             * Format: channel
             * @example whatsapp
             */
            readonly channel: ChannelName;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000003
             */
            readonly connection_id: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000001
             */
            readonly contact_id: string;
            readonly created_at: components["schemas"]["Timestamp"];
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000002
             */
            readonly id: string;
            /** @description When the last message went in or out. */
            readonly last_activity_at: components["schemas"]["Timestamp"];
            /** @description When the service window closes; null if the customer never wrote, or the channel has no window. */
            readonly service_window_expires_at: components["schemas"]["Timestamp"] | null;
            /** @enum {string} */
            readonly status: "open" | "pending" | "resolved" | "closed";
        };
        /**
         * @description The message in `quoted` was deleted, by its author or, where the vendor does not say by whom, by either side.
         * @example {
         *       "type": "deletion"
         *     }
         */
        readonly DeletionContent: {
            /** @enum {string} */
            readonly type: "deletion";
        };
        /**
         * @description The message in `quoted` was edited; `body` is its new text.
         * @example {
         *       "type": "edit"
         *     }
         */
        readonly EditContent: {
            /** @enum {string} */
            readonly type: "edit";
        };
        /**
         * @description A request that was enqueued and refused.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-00000000000f",
         *       "kind": "send",
         *       "idempotency_key": "order-1042",
         *       "error": {
         *         "code": "validation_failed",
         *         "message": "Invalid data.",
         *         "details": {
         *           "to": [
         *             "is required"
         *           ],
         *           "message.variables": [
         *             "must have exactly 2 items, one for each slot"
         *           ]
         *         }
         *       }
         *     }
         */
        readonly EnqueuedFailure: {
            readonly error: {
                /**
                 * @description Branch on this.
                 * @example validation_failed
                 * @enum {string}
                 */
                readonly code: "unauthenticated" | "forbidden" | "not_found" | "validation_failed" | "rate_limited" | "idempotency_conflict" | "identity_already_claimed" | "connection_owned_elsewhere" | "channel_unavailable" | "provider_error" | "template_not_approved" | "outside_service_window" | "account_suspended" | "method_not_allowed" | "payload_too_large" | "internal_error" | "bad_request" | "service_unavailable" | "google_email_not_invited" | "channel_setup_failed" | "insufficient_balance" | "invitation_not_found" | "invitation_expired" | "invitation_revoked" | "invitation_resend_throttled" | "google_email_mismatch" | "invitation_not_accepted" | "registration_closed" | "verification_failed" | "workspace_unavailable" | "workspace_suspended" | "invalid_tenant_transition" | "invalid_transition" | "mode_switch_in_progress" | "ownership_required" | "feature_not_in_plan" | "limit_reached" | "plan_change_refused" | "plan_in_use" | "nothing_owed" | "refund_refused" | "method_disabled_by_platform" | "whatsapp_sender_not_configured" | "coupon_invalid" | "coupon_expired" | "coupon_exhausted" | "coupon_not_applicable" | "coupon_already_used";
                /**
                 * @description For `validation_failed`, the problems of each field by its name, such as `message.template`; otherwise the details of the code.
                 * @example {
                 *       "to": [
                 *         "is required"
                 *       ],
                 *       "message.variables": [
                 *         "must have exactly 2 items, one for each slot"
                 *       ]
                 *     }
                 */
                readonly details: Record<string, unknown>;
                /**
                 * @description For people to read.
                 * @example Invalid data.
                 */
                readonly message: string;
            };
            /**
             * Format: uuid
             * @description The id that `enqueue` returned.
             * @example 0190a1b2-0000-7000-8000-00000000000f
             */
            readonly id: string;
            /** @example order-1042 */
            readonly idempotency_key: string | null;
            /**
             * @description Null if the row could not be read.
             * @example send
             * @enum {string|null}
             */
            readonly kind: "send" | "event" | null;
        };
        /**
         * @description An error. Branch on `code`.
         * @example {
         *       "code": "validation_failed",
         *       "message": "Invalid data.",
         *       "details": {
         *         "to": [
         *           "is required"
         *         ],
         *         "message.variables": [
         *           "must have exactly 2 items, one for each slot"
         *         ]
         *       },
         *       "request_id": "0190a1b2-0000-7000-8000-00000000000f"
         *     }
         */
        readonly ErrorBody: {
            /**
             * @description Branch on this.
             * @example validation_failed
             * @enum {string}
             */
            readonly code: "unauthenticated" | "forbidden" | "not_found" | "validation_failed" | "rate_limited" | "idempotency_conflict" | "identity_already_claimed" | "connection_owned_elsewhere" | "channel_unavailable" | "provider_error" | "template_not_approved" | "outside_service_window" | "account_suspended" | "method_not_allowed" | "payload_too_large" | "internal_error" | "bad_request" | "service_unavailable" | "google_email_not_invited" | "channel_setup_failed" | "insufficient_balance" | "invitation_not_found" | "invitation_expired" | "invitation_revoked" | "invitation_resend_throttled" | "google_email_mismatch" | "invitation_not_accepted" | "registration_closed" | "verification_failed" | "workspace_unavailable" | "workspace_suspended" | "invalid_tenant_transition" | "invalid_transition" | "mode_switch_in_progress" | "ownership_required" | "feature_not_in_plan" | "limit_reached" | "plan_change_refused" | "plan_in_use" | "nothing_owed" | "refund_refused" | "method_disabled_by_platform" | "whatsapp_sender_not_configured" | "coupon_invalid" | "coupon_expired" | "coupon_exhausted" | "coupon_not_applicable" | "coupon_already_used";
            /**
             * @description For `validation_failed`, the problems of each field by its name, such as `message.template`; otherwise the details of the code.
             * @example {
             *       "to": [
             *         "is required"
             *       ],
             *       "message.variables": [
             *         "must have exactly 2 items, one for each slot"
             *       ]
             *     }
             */
            readonly details: Record<string, unknown>;
            /**
             * @description For people to read.
             * @example Invalid data.
             */
            readonly message: string;
            /**
             * Format: uuid
             * @description Equals the X-Request-ID header.
             * @example 0190a1b2-0000-7000-8000-00000000000f
             */
            readonly request_id: string;
        };
        /**
         * @description Acknowledgement of an event.
         * @example {
         *       "workflows_matched": 1
         *     }
         */
        readonly EventAcknowledgement: {
            readonly workflows_matched: number;
        };
        /**
         * @description A form that the customer completed.
         * @example {
         *       "type": "form",
         *       "name": null,
         *       "answers": {
         *         "size": "L"
         *       }
         *     }
         */
        readonly FormContent: {
            /**
             * @description The answers by field, as the vendor returns them.
             * @example {
             *       "size": "L"
             *     }
             */
            readonly answers: Record<string, unknown>;
            /**
             * @description Name of the form at the vendor.
             * @example null
             */
            readonly name: string | null;
            /** @enum {string} */
            readonly type: "form";
        };
        /**
         * @description A handle on a channel; it belongs to this contact alone.
         * @example {
         *       "channel": "telegram",
         *       "handle": "ada_l",
         *       "display_name": "Ada"
         *     }
         */
        readonly Identity: {
            /**
             * @example telegram
             * @enum {string}
             */
            readonly channel: "whatsapp" | "telegram" | "instagram" | "facebook" | "email" | "phone";
            /**
             * @description The contact's name on the channel.
             * @example Ada
             */
            readonly display_name: string | null;
            /** @example ada_l */
            readonly handle: string;
        };
        /**
         * @description A contact's way through a pipeline.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000006",
         *       "contact_id": "0190a1b2-0000-7000-8000-000000000001",
         *       "pipeline_id": "0190a1b2-0000-7000-8000-000000000007",
         *       "stage": "new",
         *       "title": "Yearly plan",
         *       "value": 1200,
         *       "currency": "EUR",
         *       "created_at": "2026-05-04T08:30:00.000Z",
         *       "updated_at": "2026-05-04T08:30:00.000Z"
         *     }
         */
        readonly Lead: {
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000001
             */
            readonly contact_id: string;
            readonly created_at: components["schemas"]["Timestamp"];
            /** @example EUR */
            readonly currency: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000006
             */
            readonly id: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000007
             */
            readonly pipeline_id: string;
            /**
             * @description The key of a stage of the pipeline.
             * @example new
             */
            readonly stage: string;
            /** @example Yearly plan */
            readonly title: string | null;
            readonly updated_at: components["schemas"]["Timestamp"];
            /**
             * @description In units of the currency.
             * @example 1200
             */
            readonly value: number | null;
        };
        /**
         * @description A lead to create.
         * @example {
         *       "contact_id": "0190a1b2-0000-7000-8000-000000000001",
         *       "pipeline_id": "0190a1b2-0000-7000-8000-000000000007",
         *       "stage": "new",
         *       "title": "Yearly plan",
         *       "value": 1200,
         *       "currency": "EUR"
         *     }
         */
        readonly LeadInput: {
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000001
             */
            readonly contact_id: string;
            /**
             * @description A code of ISO 4217.
             * @example EUR
             */
            readonly currency?: string | null;
            /**
             * Format: uuid
             * @description Default: the workspace's oldest pipeline.
             * @example 0190a1b2-0000-7000-8000-000000000007
             */
            readonly pipeline_id?: string | null;
            /**
             * @description The key of a stage of the pipeline. Default: its first.
             * @example new
             */
            readonly stage?: string | null;
            /** @example Yearly plan */
            readonly title?: string | null;
            /**
             * @description In units of the currency.
             * @example 1200
             */
            readonly value?: number | null;
        };
        /**
         * @description A contact as lists have it: without `identities` and `tags`.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000001",
         *       "first_name": "Ada",
         *       "last_name": "Lovelace",
         *       "name": "Ada Lovelace",
         *       "company": null,
         *       "job_title": null,
         *       "email": "ada@example.com",
         *       "phone": "+4915112345678",
         *       "country": "GB",
         *       "city": "London",
         *       "language": "en",
         *       "lifecycle_stage": "customer",
         *       "opted_out": false,
         *       "marketing_opted_out": false,
         *       "last_activity_at": "2026-05-04T08:30:00.000Z",
         *       "created_at": "2026-05-04T08:30:00.000Z"
         *     }
         */
        readonly ListedContact: {
            /** @example London */
            readonly city: string | null;
            readonly company: string | null;
            /** @example GB */
            readonly country: string | null;
            readonly created_at: components["schemas"]["Timestamp"];
            /** @example ada@example.com */
            readonly email: string | null;
            /** @example Ada */
            readonly first_name: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000001
             */
            readonly id: string;
            readonly job_title: string | null;
            /** @example en */
            readonly language: string | null;
            /** @description When the last message went in or out. */
            readonly last_activity_at: components["schemas"]["Timestamp"];
            /** @example Lovelace */
            readonly last_name: string | null;
            /**
             * @example customer
             * @enum {string}
             */
            readonly lifecycle_stage: "lead" | "prospect" | "customer" | "churned";
            /** @description Whether the contact wants no templates of the category `marketing`. */
            readonly marketing_opted_out: boolean;
            /**
             * @description First and last name; without them company, email, phone or the first handle.
             * @example Ada Lovelace
             */
            readonly name: string;
            /** @description Whether the contact wants no messages at all. */
            readonly opted_out: boolean;
            /** @example +4915112345678 */
            readonly phone: string | null;
        };
        /**
         * @description A location.
         * @example {
         *       "type": "location",
         *       "latitude": 52.52,
         *       "longitude": 13.405,
         *       "name": "Corner bakery",
         *       "address": null,
         *       "url": null
         *     }
         */
        readonly LocationContent: {
            /**
             * @description Postal address of the location.
             * @example null
             */
            readonly address: string | null;
            /**
             * @description In degrees, positive to the north.
             * @example 52.52
             */
            readonly latitude: number;
            /**
             * @description In degrees, positive to the east.
             * @example 13.405
             */
            readonly longitude: number;
            /**
             * @description Name of the location.
             * @example Corner bakery
             */
            readonly name: string | null;
            /** @enum {string} */
            readonly type: "location";
            /**
             * @description URL of a web page about the location.
             * @example null
             */
            readonly url: string | null;
        };
        /**
         * @description A message, in or out. Its status never runs backwards.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000005",
         *       "external_reference": "order-1042",
         *       "conversation_id": "0190a1b2-0000-7000-8000-000000000002",
         *       "contact_id": "0190a1b2-0000-7000-8000-000000000001",
         *       "connection_id": "0190a1b2-0000-7000-8000-000000000003",
         *       "direction": "outbound",
         *       "type": "template",
         *       "status": "delivered",
         *       "body": "Hello Ada, your order 1042 is on its way.",
         *       "subject": null,
         *       "attachments": [],
         *       "content": null,
         *       "origin": "application",
         *       "segments": 2,
         *       "error": null,
         *       "sent_at": "2026-05-04T08:30:00.412Z",
         *       "delivered_at": "2026-05-04T08:30:01.030Z",
         *       "read_at": null
         *     }
         */
        readonly Message: {
            /**
             * @description Empty without attachments.
             * @example []
             */
            readonly attachments: readonly components["schemas"]["Attachment"][];
            /** @description True if a program wrote it, such as an out-of-office reply, or if it came through a mailing list. Do not answer it automatically. */
            readonly automatic?: boolean;
            /**
             * @description The readable text of every type: of a template the rendered one, of media the caption.
             * @example Hello Ada, your order 1042 is on its way.
             */
            readonly body: string;
            /** @description Of an email. */
            readonly cc?: readonly string[];
            /**
             * Format: uuid
             * @description The channel connection that was used.
             * @example 0190a1b2-0000-7000-8000-000000000003
             */
            readonly connection_id: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000001
             */
            readonly contact_id: string;
            /**
             * @description Content beyond text and files, by its `type`; null for text, templates and media.
             * @example null
             */
            readonly content: (components["schemas"]["LocationContent"] | components["schemas"]["ContactsContent"] | components["schemas"]["ChoicesContent"] | components["schemas"]["ChoiceContent"] | components["schemas"]["FormContent"] | components["schemas"]["OrderContent"] | components["schemas"]["TemplateContent"] | components["schemas"]["ReactionContent"] | components["schemas"]["EditContent"] | components["schemas"]["DeletionContent"] | components["schemas"]["SystemContent"] | components["schemas"]["UnsupportedContent"]) | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000002
             */
            readonly conversation_id: string;
            /** @example 2026-05-04T08:30:01.030Z */
            readonly delivered_at: components["schemas"]["Timestamp"] | null;
            /**
             * @example outbound
             * @enum {string}
             */
            readonly direction: "inbound" | "outbound";
            /** @description Why it failed. */
            readonly error: {
                /** @description A code of the error catalogue. */
                readonly code: string;
                readonly message: string;
            } | null;
            /**
             * @description What the caller gave when it sent the message.
             * @example order-1042
             */
            readonly external_reference: string | null;
            /** @description True if the message was forwarded. */
            readonly forwarded?: boolean;
            /** @description Of an email: who wrote it, as its header has it. */
            readonly from?: string;
            /** @description Of an email whose `body` leaves out quoted mails or a signature: the whole text. */
            readonly full_text?: string;
            /** @description Equal for the messages of an album. */
            readonly group_id?: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000005
             */
            readonly id: string;
            /**
             * @description Who wrote it; `external`: the business, outside of this service, such as in the channel's own app.
             * @example application
             * @enum {string}
             */
            readonly origin: "application" | "agent" | "workflow" | "bot" | "customer" | "external";
            readonly pricing?: components["schemas"]["Pricing"];
            readonly quoted?: components["schemas"]["Quoted"];
            readonly read_at: components["schemas"]["Timestamp"] | null;
            /** @description Of inbound messages, and of those that the business wrote elsewhere. */
            readonly received_at?: components["schemas"]["Timestamp"];
            readonly referral?: components["schemas"]["Referral"];
            /** @description Email only: the Reply-To addresses. */
            readonly reply_to?: readonly string[];
            /**
             * @description Number of charged segments, if reported.
             * @example 2
             */
            readonly segments?: number;
            /** @example 2026-05-04T08:30:00.412Z */
            readonly sent_at: components["schemas"]["Timestamp"] | null;
            /**
             * @description An inbound message is `delivered`.
             * @example delivered
             * @enum {string}
             */
            readonly status: "queued" | "sent" | "delivered" | "read" | "failed";
            /** @description Of an email. */
            readonly subject: string | null;
            /** @description Of an email. */
            readonly to?: readonly string[];
            /**
             * @example template
             * @enum {string}
             */
            readonly type: "text" | "template" | "media" | "location" | "contacts" | "choices" | "choice" | "form" | "order" | "reaction" | "edit" | "deletion" | "system" | "unsupported";
        };
        /**
         * @description Products that the customer ordered or asks about.
         * @example {
         *       "type": "order",
         *       "catalog": null,
         *       "items": [
         *         {
         *           "product": "rye-1000",
         *           "name": "Rye bread",
         *           "quantity": 2,
         *           "price": 4.5,
         *           "currency": "EUR"
         *         }
         *       ]
         *     }
         */
        readonly OrderContent: {
            /**
             * @description Id of the catalogue at the vendor.
             * @example null
             */
            readonly catalog: string | null;
            readonly items: readonly {
                /**
                 * @description Code of the currency.
                 * @example EUR
                 */
                readonly currency: string | null;
                /**
                 * @description Name of the product.
                 * @example Rye bread
                 */
                readonly name: string | null;
                /**
                 * @description Price of one piece, in units of the currency.
                 * @example 4.5
                 */
                readonly price: number | null;
                /**
                 * @description Id of the product: the retailer's own, as in the catalogue.
                 * @example rye-1000
                 */
                readonly product: string;
                /**
                 * @description Quantity.
                 * @example 2
                 */
                readonly quantity: number;
            }[];
            /** @enum {string} */
            readonly type: "order";
        };
        /**
         * @description Price as reported by the vendor; null if not reported.
         * @example {
         *       "billable": null,
         *       "category": "marketing",
         *       "model": "PMP",
         *       "price": "0.0079",
         *       "currency": "USD"
         *     }
         */
        readonly Pricing: {
            /** @description Whether the vendor charges for the message. */
            readonly billable: boolean | null;
            /**
             * @description The vendor's name of the rate.
             * @example marketing
             */
            readonly category: string | null;
            /**
             * @description Code of the currency.
             * @example USD
             */
            readonly currency: string | null;
            /**
             * @description The vendor's name of its price list.
             * @example PMP
             */
            readonly model: string | null;
            /**
             * @description In units of `currency`, as the vendor writes it.
             * @example 0.0079
             */
            readonly price: string | null;
        };
        /**
         * @description The message that this one answers, reacts to, edits or deletes, or whose option it chooses.
         * @example {
         *       "message_id": "0190a1b2-0000-7000-8000-000000000005",
         *       "provider_message_id": null,
         *       "body": null
         *     }
         */
        readonly Quoted: {
            /** @description Its text, if the channel repeats it and the message is unknown here; otherwise read the message. */
            readonly body: string | null;
            /**
             * Format: uuid
             * @description Null if the message is unknown here or is another application's.
             * @example 0190a1b2-0000-7000-8000-000000000005
             */
            readonly message_id: string | null;
            /** @description The channel's id of the message. */
            readonly provider_message_id: string | null;
        };
        /**
         * @description A reaction to the message in `quoted`.
         * @example {
         *       "type": "reaction",
         *       "emoji": "👍"
         *     }
         */
        readonly ReactionContent: {
            /**
             * @description The reaction; null: it was removed.
             * @example 👍
             */
            readonly emoji: string | null;
            /** @enum {string} */
            readonly type: "reaction";
        };
        /**
         * @description The advertisement, post or link that brought the customer to the conversation.
         * @example {
         *       "source": "ad",
         *       "source_id": null,
         *       "click_id": null,
         *       "headline": null,
         *       "body": null,
         *       "url": null,
         *       "ref": null
         *     }
         */
        readonly Referral: {
            readonly body: string | null;
            /** @description For conversion reports; WhatsApp calls it `ctwa_clid`. */
            readonly click_id: string | null;
            readonly headline: string | null;
            /** @description What the business put into the link. */
            readonly ref: string | null;
            /**
             * @description The channel's name for the kind of source.
             * @example ad
             */
            readonly source: string;
            /** @description Id of the advertisement or post. */
            readonly source_id: string | null;
            readonly url: string | null;
        };
        /**
         * @description A message that was accepted for delivery; it is not delivered yet.
         * @example {
         *       "message_id": "0190a1b2-0000-7000-8000-000000000005",
         *       "status": "queued",
         *       "external_reference": "order-1042",
         *       "conversation_id": "0190a1b2-0000-7000-8000-000000000002",
         *       "contact_id": "0190a1b2-0000-7000-8000-000000000001",
         *       "connection_id": "0190a1b2-0000-7000-8000-000000000003",
         *       "request_id": "0190a1b2-0000-7000-8000-00000000000f"
         *     }
         */
        readonly SendAcknowledgement: {
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000003
             */
            readonly connection_id: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000001
             */
            readonly contact_id: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000002
             */
            readonly conversation_id: string;
            /** @example order-1042 */
            readonly external_reference: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000005
             */
            readonly message_id: string;
            /** @description The ids of all messages in their order, if the files became several messages; `message_id` is the first one. */
            readonly message_ids?: readonly string[];
            /**
             * Format: uuid
             * @description The `X-Request-ID` of the request that was executed.
             * @example 0190a1b2-0000-7000-8000-00000000000f
             */
            readonly request_id: string;
            /** @enum {string} */
            readonly status: "queued";
        };
        /**
         * @description A message to send: its recipient, and a text or a template.
         * @example {
         *       "channel": "whatsapp",
         *       "to": "+4915112345678",
         *       "type": "template",
         *       "external_reference": "order-1042",
         *       "message": {
         *         "template": "order_shipped",
         *         "language": "en",
         *         "variables": [
         *           "Ada",
         *           "1042"
         *         ]
         *       }
         *     }
         * @example {
         *       "channel": "whatsapp",
         *       "to": "+4915112345678",
         *       "type": "text",
         *       "connection_id": "0190a1b2-0000-7000-8000-000000000003",
         *       "message": {
         *         "body": "Hello Ada, your order 1042 is on its way."
         *       }
         *     }
         * @example {
         *       "channel": "whatsapp",
         *       "to": "+4915112345678",
         *       "type": "choices",
         *       "message": {
         *         "body": "Is Tuesday fine?",
         *         "content": {
         *           "options": [
         *             {
         *               "id": "yes",
         *               "title": "Yes"
         *             },
         *             {
         *               "id": "no",
         *               "title": "No"
         *             }
         *           ]
         *         }
         *       }
         *     }
         */
        readonly SendMessageInput: {
            /**
             * Format: channel
             * @description One of the channels in `GET /channels`: `whatsapp`, `telegram`, `email`, `webchat`, `instagram`, `facebook`, or another one of the deployment.
             * @example whatsapp
             */
            readonly channel: ChannelName;
            /**
             * Format: uuid
             * @description One of `GET /channels`. Default: that of the newest conversation with the handle, else the oldest on the channel.
             */
            readonly connection_id?: string | null;
            /** @description Your own reference, repeated in the acknowledgement and on every event of the message. */
            readonly external_reference?: string | null;
            readonly message: {
                /** @description The files; required for the type `media`, whose `body` is the caption, and for a template whose header is a file. */
                readonly attachments?: readonly {
                    /**
                     * Format: uuid
                     * @description An upload of this application (`POST /attachments`). Its bytes decide its type.
                     */
                    readonly attachment_id?: string | null;
                    readonly content_type?: string;
                    readonly file_name?: string | null;
                    /** @description An https URL that is valid for a day, without redirects to http. Required without `attachment_id`. */
                    readonly url?: string | null;
                }[] | null;
                /** @description Whether a program wrote it, as an answer to the customer's message. Emails are marked, so that programs do not answer them. */
                readonly automatic?: boolean | null;
                /** @description The text, question or caption; required for the types `text` and `choices`. */
                readonly body?: string | null;
                /** @description The values of the template's buttons whose URL has a slot or that copy a code, in order; required if it has such buttons. */
                readonly button_variables?: readonly string[] | null;
                /** @description The values of the template's cards, in order: the product of a card that shows one (`id` in the `catalog`), those of the slots in the text of a card, and one for each of its buttons that is a reply (the id of the choice) or whose URL has a slot. */
                readonly cards?: readonly {
                    readonly button_variables?: readonly string[] | null;
                    readonly product?: {
                        readonly catalog: string;
                        readonly id: string;
                    } | null;
                    readonly variables?: readonly string[] | null;
                }[] | null;
                /** @description Required for the types `location`, `contacts`, `choices` and `reaction`. */
                readonly content?: (({
                    readonly address?: string | null;
                    readonly latitude: number;
                    readonly longitude: number;
                    readonly name?: string | null;
                    readonly url?: string | null;
                } | {
                    readonly contacts: readonly {
                        readonly emails?: readonly string[] | null;
                        readonly name: string;
                        readonly organization?: string | null;
                        readonly phones?: readonly string[] | null;
                    }[];
                } | {
                    readonly button?: string | null;
                    readonly options: readonly {
                        readonly description?: string | null;
                        readonly id: string;
                        readonly title: string;
                    }[];
                } | {
                    readonly emoji?: string | null;
                }) | null) | {
                    readonly address?: string | null;
                    readonly latitude: number;
                    readonly longitude: number;
                    readonly name?: string | null;
                    readonly url?: string | null;
                } | {
                    readonly contacts: readonly {
                        readonly emails?: readonly string[] | null;
                        readonly name: string;
                        readonly organization?: string | null;
                        readonly phones?: readonly string[] | null;
                    }[];
                } | {
                    readonly button?: string | null;
                    readonly options: readonly {
                        readonly description?: string | null;
                        readonly id: string;
                        readonly title: string;
                    }[];
                } | {
                    readonly emoji?: string | null;
                };
                /** @description The value of the slot in the header of the template; required if it has one. */
                readonly header_variable?: string | null;
                /** @description Default: the template's only language, else the workspace's default. */
                readonly language?: string | null;
                /** @description For a template whose button shows products: their ids in sections, and the one whose image heads the message (default: the first). For a button that opens the catalogue: that one only. */
                readonly products?: {
                    readonly sections?: readonly {
                        readonly items: readonly string[];
                        readonly title?: string | null;
                    }[] | null;
                    readonly thumbnail?: string | null;
                } | null;
                /**
                 * Format: uuid
                 * @description Id of a message of the conversation that this one answers or reacts to; required for `reaction`.
                 */
                readonly quoted?: string | null;
                /** @description For email. */
                readonly subject?: string | null;
                /** @description The template's name; required if `type` is `template`. */
                readonly template?: string | null;
                /** @description The values of the template's slots, in order. */
                readonly variables?: readonly string[] | null;
            };
            /** @description The handle on the channel: a phone number in E.164 for WhatsApp, an address for email, the conversation's id for a web chat visitor. An unknown handle creates the contact and the conversation. */
            readonly to: string;
            /**
             * @description One of the `types` in the channel's capabilities. `choices` are numbered text on channels with texts and without choices.
             * @enum {string}
             */
            readonly type: "text" | "template" | "media" | "location" | "contacts" | "choices" | "reaction";
        };
        /**
         * @description The outcome of a signal to the customer.
         * @example {
         *       "conversation_id": "0190a1b2-0000-7000-8000-000000000002",
         *       "taken": true
         *     }
         */
        readonly Signal: {
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000002
             */
            readonly conversation_id: string;
            /**
             * @description Whether the channel accepted it. False: its vendor refused or did not answer; the service does not retry.
             * @example true
             */
            readonly taken: boolean;
        };
        /**
         * @description A notice of the channel about the conversation.
         * @example {
         *       "type": "system",
         *       "event": "request_welcome"
         *     }
         */
        readonly SystemContent: {
            /**
             * @description The vendor's name of the notice.
             * @example request_welcome
             */
            readonly event: string;
            /** @enum {string} */
            readonly type: "system";
        };
        /**
         * @description A text with slots, approved before it is sent.
         * @example {
         *       "id": "0190a1b2-0000-7000-8000-000000000004",
         *       "name": "order_shipped",
         *       "channel": "whatsapp",
         *       "language": "en",
         *       "account": "102290129340398",
         *       "category": "utility",
         *       "status": "approved",
         *       "is_sendable": true,
         *       "body": "Hello {{1}}, your order {{2}} is on its way.",
         *       "subject": "Order {{2}}",
         *       "variables": [
         *         "1",
         *         "2"
         *       ]
         *     }
         */
        readonly Template: {
            /**
             * @description The vendor's account that has it; absent if it was made by hand.
             * @example 102290129340398
             */
            readonly account?: string;
            /** @example Hello {{1}}, your order {{2}} is on its way. */
            readonly body: string;
            /** @example utility */
            readonly category: string | null;
            /**
             * Format: channel
             * @example whatsapp
             */
            readonly channel: ChannelName;
            /** @description The body as HTML; absent without it. */
            readonly html?: string;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-000000000004
             */
            readonly id: string;
            /**
             * @description Only approved templates can be sent.
             * @example true
             */
            readonly is_sendable: boolean;
            /** @example en */
            readonly language: string;
            /** @example order_shipped */
            readonly name: string;
            /** @description Header, footer and buttons of the vendor's template; absent without them. */
            readonly parts?: components["schemas"]["TemplateParts"];
            /**
             * @example approved
             * @enum {string}
             */
            readonly status: "draft" | "pending" | "approved" | "rejected" | "paused";
            /**
             * @description The subject of its messages; absent without one.
             * @example Order {{2}}
             */
            readonly subject?: string;
            /**
             * @description The names of the slots, in the order of their values.
             * @example [
             *       "1",
             *       "2"
             *     ]
             */
            readonly variables: readonly string[];
        };
        /**
         * @description The values of a template's header, buttons and cards; `variables` are those of its body.
         * @example {
         *       "type": "template",
         *       "header": "1042",
         *       "slot": "order",
         *       "buttons": [
         *         {
         *           "index": 0,
         *           "type": "url",
         *           "value": "1042"
         *         }
         *       ],
         *       "names": null
         *     }
         */
        readonly TemplateContent: {
            readonly buttons: readonly {
                /**
                 * @description Place of the button in the template, from 0.
                 * @example 0
                 */
                readonly index: number;
                /** @enum {string} */
                readonly type: "url" | "code";
                /**
                 * @description Value of the slot in its URL, or the code that it copies.
                 * @example 1042
                 */
                readonly value: string;
            }[];
            /** @description Values of the cards, in their order. Their files are `attachments`. */
            readonly cards?: readonly {
                readonly buttons: readonly {
                    /**
                     * @description Place of the button in the card, from 0.
                     * @example 0
                     */
                    readonly index: number;
                    /** @enum {string} */
                    readonly type: "url" | "reply";
                    /**
                     * @description Value of the slot in its URL, or the id of the choice when it is pressed.
                     * @example rye
                     */
                    readonly value: string;
                }[];
                /** @description Names of these slots, in the order of `variables`; null if they are numbers. */
                readonly names: readonly string[] | null;
                /** @description The product that it shows; absent if it shows a file. */
                readonly product?: {
                    /**
                     * @description Id of the catalogue.
                     * @example 194836987003835
                     */
                    readonly catalog: string;
                    /**
                     * @description Id of the product in the catalogue.
                     * @example rye
                     */
                    readonly id: string;
                };
                /** @description Values of the slots in its text. */
                readonly variables: readonly string[];
            }[];
            /**
             * @description Value of the slot in the text of the header; null without a slot.
             * @example 1042
             */
            readonly header: string | null;
            /** @description Names of the slots of the body, in the order of `variables`; null if they are numbers. */
            readonly names: readonly string[] | null;
            /** @description The products of a button that shows products or the catalogue. */
            readonly products?: {
                /**
                 * @description Place of the button in the template, from 0.
                 * @example 0
                 */
                readonly index: number;
                /** @description The products that the button shows; empty for the whole catalogue. */
                readonly sections: readonly {
                    /**
                     * @description Ids of the products.
                     * @example [
                     *       "rye"
                     *     ]
                     */
                    readonly items: readonly string[];
                    /**
                     * @description Title; null for a single section.
                     * @example Bread
                     */
                    readonly title: string | null;
                }[];
                /**
                 * @description Id of the product whose image heads the message.
                 * @example rye
                 */
                readonly thumbnail: string;
            };
            /**
             * @description Name of that slot; absent if it is a number.
             * @example order
             */
            readonly slot?: string;
            /** @enum {string} */
            readonly type: "template";
        };
        /**
         * @description Header, footer, buttons and cards, as the vendor has them.
         * @example {
         *       "header": null,
         *       "footer": null,
         *       "buttons": [
         *         {
         *           "type": "reply",
         *           "text": "Track",
         *           "url": "https://shop.example/track/{{1}}"
         *         }
         *       ],
         *       "named": false
         *     }
         */
        readonly TemplateParts: {
            readonly buttons: readonly {
                /** @example Track */
                readonly text: string;
                /**
                 * @description `code` copies a code that each send gives, `otp` the first value of the body; `catalog` opens the catalogue of the business, `products` shows those that each send gives, `product` that of its card.
                 * @enum {string}
                 */
                readonly type: "reply" | "url" | "phone" | "code" | "otp" | "catalog" | "product" | "products";
                /** @example https://shop.example/track/{{1}} */
                readonly url: string | null;
            }[];
            /** @description The cards of a carousel under the body; absent without one. With products, a send may have another number of cards. */
            readonly cards?: readonly {
                /**
                 * @description The text, with slots of its own; null without one.
                 * @example Rye bread, {{1}}
                 */
                readonly body: string | null;
                readonly buttons: readonly {
                    /** @example Track */
                    readonly text: string;
                    /**
                     * @description `code` copies a code that each send gives, `otp` the first value of the body; `catalog` opens the catalogue of the business, `products` shows those that each send gives, `product` that of its card.
                     * @enum {string}
                     */
                    readonly type: "reply" | "url" | "phone" | "code" | "otp" | "catalog" | "product" | "products";
                    /** @example https://shop.example/track/{{1}} */
                    readonly url: string | null;
                }[];
                /**
                 * @description The kind of its file, or a product of a catalogue: a value of each send.
                 * @enum {string}
                 */
                readonly header: "image" | "video" | "product";
            }[];
            readonly footer: string | null;
            readonly header: {
                /**
                 * @description The text, with at most one slot; null for files.
                 * @example Order {{1}}
                 */
                readonly text: string | null;
                /**
                 * @description Other than `text`: the file is a value of each send.
                 * @enum {string}
                 */
                readonly type: "text" | "image" | "video" | "document";
            } | null;
            /** @description Whether the slots of the body have names instead of numbers. */
            readonly named: boolean;
        };
        /**
         * Format: date-time
         * @description A time in UTC, to the millisecond.
         * @example 2026-05-04T08:30:00.000Z
         */
        readonly Timestamp: string;
        /**
         * @description An error of the token endpoint.
         * @example {
         *       "error": "invalid_client",
         *       "error_description": "The client or its secret is not valid."
         *     }
         */
        readonly TokenFailure: {
            /**
             * @description Branch on this.
             * @example invalid_client
             * @enum {string}
             */
            readonly error: "invalid_request" | "invalid_client" | "unsupported_grant_type" | "invalid_scope" | "temporarily_unavailable" | "server_error";
            /** @example The client or its secret is not valid. */
            readonly error_description: string;
        };
        /**
         * @description Client credentials.
         * @example {
         *       "grant_type": "client_credentials",
         *       "client_id": "parley_client_0123456789abcdefghijklmn",
         *       "client_secret": "parley_secret_0123456789abcdefghijklmnopqrstuv",
         *       "scope": "messages.send messages.read"
         *     }
         */
        readonly TokenForm: {
            /** @example parley_client_0123456789abcdefghijklmn */
            readonly client_id: string;
            /** @example parley_secret_0123456789abcdefghijklmnopqrstuv */
            readonly client_secret: string;
            /** @enum {string} */
            readonly grant_type: "client_credentials";
            /**
             * @description A subset of the application's scopes, separated by spaces. Default: all of them.
             * @example messages.send messages.read
             */
            readonly scope?: string | null;
        };
        /**
         * @description Client credentials.
         * @example {
         *       "grant_type": "client_credentials",
         *       "client_id": "parley_client_0123456789abcdefghijklmn",
         *       "client_secret": "parley_secret_0123456789abcdefghijklmnopqrstuv",
         *       "scope": "messages.send messages.read"
         *     }
         */
        readonly TokenInput: {
            /** @example parley_client_0123456789abcdefghijklmn */
            readonly client_id: string;
            /** @example parley_secret_0123456789abcdefghijklmnopqrstuv */
            readonly client_secret: string;
            /** @enum {string} */
            readonly grant_type: "client_credentials";
            /**
             * @description A subset of the application's scopes, separated by spaces. Default: all of them.
             * @example messages.send messages.read
             */
            readonly scope?: string | null;
        };
        /**
         * @description Content that the channel does not forward, or that Parley does not know.
         * @example {
         *       "type": "unsupported",
         *       "kind": "poll"
         *     }
         */
        readonly UnsupportedContent: {
            /**
             * @description The vendor's name of the content.
             * @example poll
             */
            readonly kind: string;
            /** @enum {string} */
            readonly type: "unsupported";
        };
        /**
         * @description A stored file that messages can be sent with.
         * @example {
         *       "id": "0190a1b2-0000-8000-8000-00000000001a",
         *       "type": "image",
         *       "content_type": "image/jpeg",
         *       "file_name": "parcel.jpg",
         *       "size": 48213,
         *       "expires_at": "2026-05-04T08:30:00.000Z",
         *       "created_at": "2026-05-04T08:30:00.000Z"
         *     }
         */
        readonly Upload: {
            /** @example image/jpeg */
            readonly content_type: string;
            readonly created_at: components["schemas"]["Timestamp"];
            /** @description End of the time in which messages can be sent with it; messages that have it keep it. */
            readonly expires_at: components["schemas"]["Timestamp"];
            /** @example parcel.jpg */
            readonly file_name: string | null;
            /**
             * Format: uuid
             * @example 0190a1b2-0000-8000-8000-00000000001a
             */
            readonly id: string;
            /**
             * @description In bytes.
             * @example 48213
             */
            readonly size: number;
            /** @enum {string} */
            readonly type: "image" | "video" | "audio" | "document";
        };
        /**
         * @description Payload of a test delivery.
         * @example {
         *       "message": "This is a test delivery.",
         *       "endpoint_id": "0190a1b2-0000-7000-8000-00000000000c"
         *     }
         */
        readonly WebhookTest: {
            /**
             * Format: uuid
             * @example 0190a1b2-0000-7000-8000-00000000000c
             */
            readonly endpoint_id: string;
            /** @example This is a test delivery. */
            readonly message: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
