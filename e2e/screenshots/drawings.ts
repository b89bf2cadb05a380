/** Which drawing of a folder of drawings shows which view. */

export const DRAWINGS: Readonly<Record<string, string>> = {
  'main-1440.png': 'main-1440-light.png',
  'main-1280-dark.png': 'main-1280-dark.png',
  'question-1440.png': 'question-1440-light.png',
  'start-1440.png': 'start-1440-light.png',
  'phone-390.png': 'main-390-light.png',
  'stage-1080-dark.png': 'stage-recovered-1080p-dark.png',
};
