/** The tool transcribe_video: the spoken words of a media asset. */

/**
 * @param {(request: {assetId: string, language?: string}) => Promise<object>} transcribe the product's speech service
 * @returns {import("../types.mjs").ToolDefinition}
 */
export function transcribeVideo(transcribe) {
  return {
    name: "transcribe_video",
    description: "Transcribes the speech of a media asset. Without assetId, the project's first asset is taken.",
    parameters: [
      { key: "assetId", type: "string", required: false },
      { key: "language", type: "string", required: false },
    ],
    execute: async ({ assetId, language }, context) => {
      const asset = assetId ?? context.mediaAssets[0]?.id;
      if (!asset) throw new Error("The project has no media asset to transcribe.");
      return transcribe({ assetId: asset, language });
    },
  };
}
