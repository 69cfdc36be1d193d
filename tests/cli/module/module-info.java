module greeting { }
