#include "CWaymarkProcessor.h"
