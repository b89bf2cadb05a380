// A placeholder, until the composition root is written.
document.title = `Reprise ${__REPRISE_VERSION__}`;
